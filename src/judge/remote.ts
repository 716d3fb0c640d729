import { InvalidSubmission, JudgeUnavailable, type Submission, type Verdict } from './protocol.ts';
import type { RunLimits } from './runner.ts';
import type { JudgeHealth } from './supervisor.ts';

/** Longer than any submission waits and runs. */
const ANSWER_TIMEOUT_MS = 60_000;
const HEALTH_TIMEOUT_MS = 2_000;
/** One that could not be reached is passed over for so long, unless none can be. */
const AVOID_MS = 5_000;
/** Judges that one program may break: it is tried on another, as the first may have broken for another reason. */
const MOST_BROKEN = 2;

/** Codes of a connection that was never made, so that the judge has not seen the program. */
const UNREACHED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError';

function isUnreached(error: unknown): boolean {
  const causes = [error, (error as { cause?: unknown } | null)?.cause] as {
    code?: unknown;
    errors?: unknown[];
  }[];
  // A name with several addresses fails with one error for each.
  return causes.some(
    (one) => UNREACHED.test(String(one?.code)) || (one?.errors?.every(isUnreached) ?? false),
  );
}

interface Address {
  url: string;
  avoidUntil: number;
  underWay: number;
}

/**
 * Judges that run on their own and are asked over HTTP. One that cannot be reached is passed over for a while, one that is
 * busy or fails only for this program: which may be what broke it, and must not be carried to all of them.
 */
export class RemoteJudges {
  #addresses: Address[];
  #stopping = new AbortController();

  constructor(urls: readonly string[]) {
    this.#addresses = urls.map((url) => ({ url: url.replace(/\/+$/, ''), avoidUntil: 0, underWay: 0 }));
  }

  /** The sound ones first, and of these the least busy. */
  #inOrder(): Address[] {
    const now = performance.now();
    const rank = ({ avoidUntil, underWay }: Address) => (avoidUntil > now ? 1e6 : 0) + underWay;
    return [...this.#addresses].sort((a, b) => rank(a) - rank(b));
  }

  async judge(submission: Submission, limits: Partial<RunLimits> = {}): Promise<Verdict> {
    let busy: JudgeUnavailable | null = null;
    let broken = 0;
    for (const address of this.#inOrder()) {
      address.underWay += 1;
      try {
        return await this.#ask(address, submission, limits);
      } catch (error) {
        if (error instanceof InvalidSubmission) throw error;
        // Elsewhere there may be room, but no owner has more of it than others.
        if (error instanceof JudgeUnavailable && error.reason === 'own_runs') throw error;
        if (error instanceof JudgeUnavailable && error.reason === 'busy') {
          busy ??= error;
        } else if (isUnreached(error)) {
          address.avoidUntil = performance.now() + AVOID_MS;
        } else {
          broken += 1;
          if (broken >= MOST_BROKEN || isTimeout(error)) break;
        }
      } finally {
        address.underWay -= 1;
      }
    }
    if (busy && broken === 0) throw busy;
    throw new JudgeUnavailable('failed', 'No judge answers at the moment.', 5);
  }

  async #ask({ url }: Address, submission: Submission, limits: Partial<RunLimits>): Promise<Verdict> {
    const response = await fetch(`${url}/judge`, {
      method: 'POST',
      redirect: 'error',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ submission, limits }),
      signal: AbortSignal.any([AbortSignal.timeout(ANSWER_TIMEOUT_MS), this.#stopping.signal]),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (response.ok) return answer as unknown as Verdict;
    const message = String(answer.message ?? response.status);
    if (response.status === 400 || response.status === 413) throw new InvalidSubmission(message);
    throw new JudgeUnavailable(
      answer.reason === 'busy' || answer.reason === 'own_runs' ? answer.reason : 'failed',
      message,
      Number(response.headers.get('retry-after')) || 2,
    );
  }

  async health(): Promise<JudgeHealth> {
    const pools: Record<string, { ok: boolean }> = {};
    const walls: Pick<JudgeHealth, 'layers' | 'missing'>[] = [];
    await Promise.all(
      this.#addresses.map(async (address) => {
        const ok = await fetch(`${address.url}/health`, {
          redirect: 'error',
          signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
        })
          .then(async (response) => {
            walls.push((await response.json()) as JudgeHealth);
            return response.ok;
          })
          .catch(() => false);
        if (ok) address.avoidUntil = 0;
        pools[address.url] = { ok };
      }),
    );
    const ok = Object.values(pools).some((pool) => pool.ok);
    // What one of them lacks, programs are judged without.
    const missing = walls.flatMap((wall) => wall.missing ?? []);
    const lacks = (name: string) => missing.some((one) => one.name === name);
    return {
      ok,
      mode: 'remote',
      pools,
      counters: null,
      layers: [...new Set(walls.flatMap((wall) => wall.layers ?? []))].filter((name) => !lacks(name)),
      missing: missing.filter(({ name }, at) => missing.findIndex((one) => one.name === name) === at),
    };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
  }
}
