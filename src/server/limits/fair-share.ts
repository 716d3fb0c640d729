import { PoolExhausted, Turns } from '#db/turns.ts';

/** Pages and calls that search and filter as the caller says, so that hardly any answer is there already. */
const SEARCHES = /^\/(courses|marketplace|api\/courses|api\/suggestions)\/?$/;

/**
 * Whether a request searches.
 *
 * @param pathname decoded path, and the target that it comes from
 */
export const isSearch = (pathname: string, target: string): boolean =>
  target.includes('?') && SEARCHES.test(pathname);

/** Lets each address do so much at once, so that one that asks for much waits for itself and not others for it. */
export class FairShare {
  readonly #turns = new Map<string, Turns>();
  readonly #share: { atOnce: number; waiting: number; waitMs: number };

  /** @param share what one address may do `atOnce`, how many more of it wait, and for how many milliseconds */
  constructor(share: { atOnce: number; waiting: number; waitMs: number }) {
    this.#share = share;
  }

  /** Waits for a place; gives the function that leaves it, or null where too many wait already or it took too long. */
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
