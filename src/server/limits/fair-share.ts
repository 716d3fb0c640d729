import { PoolExhausted, Turns } from '#db/turns.ts';

const SEARCHES = /^\/(courses|marketplace|api\/courses|api\/suggestions)\/?$/;

export const isSearch = (pathname: string, target: string): boolean =>
  target.includes('?') && SEARCHES.test(pathname);

/** One address that asks for much waits for itself and not others for it. */
export class FairShare {
  readonly #turns = new Map<string, Turns>();
  readonly #share: { atOnce: number; waiting: number; waitMs: number };

  constructor(share: { atOnce: number; waiting: number; waitMs: number }) {
    this.#share = share;
  }

  /** Gives the function that leaves it, or null where too many wait already or it took too long. */
  async enter(address: string): Promise<(() => void) | null> {
    const { atOnce, waiting, waitMs } = this.#share;
    const turns = this.#turns.get(address) ?? new Turns(atOnce, waitMs);
    this.#turns.set(address, turns);
    if (turns.waiting >= waiting) return null;
    try {
      await turns.take();
    } catch (error) {
      if (error instanceof PoolExhausted) return null;
      throw error;
    }
    return () => {
      turns.release();
      if (turns.inUse === 0) this.#turns.delete(address);
    };
  }
}
