import { setTimeout as sleep } from 'node:timers/promises';
import { outerMs } from './fair-clock.ts';
import { limitsFor } from './pools.ts';
import {
  InvalidSubmission,
  JudgeUnavailable,
  LANGUAGES,
  type LearnerError,
  type Submission,
  type Verdict,
} from './protocol.ts';
import type { RunLimits } from './runner.ts';
import { type JudgeHealth, MAX_WAIT_MS } from './supervisor.ts';

const GRACE_MS = 5_000;
const HEALTH_TIMEOUT_MS = 2_000;
const LOOK_EVERY_MS = 2_000;
const AVOID_MS = 5_000;
/** The first may have broken for another reason. */
const MOST_BROKEN = 2;

/** The judge has not seen the program. */
const UNREACHED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;

class JudgeHangs extends Error {}

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

const lives = (url: string): Promise<boolean> =>
  fetch(`${url}/health`, { redirect: 'error', signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })
    .then(async (response) => {
      await response.body?.cancel();
      return true;
    })
    .catch(() => false);

interface Address {
  url: string;
  avoidUntil: number;
  underWay: number;
}

export class RemoteJudges {
  #addresses: Address[];
  #stopping = new AbortController();

  constructor(urls: readonly string[]) {
    this.#addresses = urls.map((url) => ({ url: url.replace(/\/+$/, ''), avoidUntil: 0, underWay: 0 }));
  }

  #inOrder(): Address[] {
    const now = performance.now();
    const rank = ({ avoidUntil, underWay }: Address) => (avoidUntil > now ? 1e6 : 0) + underWay;
    return [...this.#addresses].sort((a, b) => rank(a) - rank(b));
  }

  judge(submission: Submission, limits: Partial<RunLimits> = {}): Promise<Verdict> {
    return this.#askAny('judge', submission, limits);
  }

  proveHint(submission: Submission, limits: Partial<RunLimits> = {}): Promise<LearnerError | null> {
    return this.#askAny('hint', submission, limits);
  }

  async #askAny<T>(path: string, submission: Submission, limits: Partial<RunLimits>): Promise<T> {
    if (!LANGUAGES.includes(submission.language))
      throw new InvalidSubmission('language: must be one of them');
    let busy: JudgeUnavailable | null = null;
    let broken = 0;
    for (const address of this.#inOrder()) {
      address.underWay += 1;
      try {
        return await this.#ask<T>(address, path, submission, limits);
      } catch (error) {
        if (error instanceof InvalidSubmission) throw error;
        // Elsewhere there may be room, but no owner has more of it than others.
        if (error instanceof JudgeUnavailable && error.reason === 'own_runs') throw error;
        if (error instanceof JudgeUnavailable && error.reason === 'busy') {
          busy ??= error;
        } else if (isUnreached(error)) {
          address.avoidUntil = performance.now() + AVOID_MS;
        } else {
          if (error instanceof JudgeHangs) this.#avoidUntilItLives(address);
          broken += 1;
          if (broken >= MOST_BROKEN) break;
        }
      } finally {
        address.underWay -= 1;
      }
    }
    if (busy && broken === 0) throw busy;
    throw new JudgeUnavailable('failed', 'No judge answers at the moment.', 5);
  }

  async #ask<T>(
    { url }: Address,
    path: string,
    submission: Submission,
    limits: Partial<RunLimits>,
  ): Promise<T> {
    const { totalMs } = limitsFor(submission.language, limits);
    const hangs = new AbortController();
    const answered = new AbortController();
    void this.#watch(url, totalMs, answered.signal, hangs);
    const { response, answer } = await fetch(`${url}/${path}`, {
      method: 'POST',
      redirect: 'error',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ submission, limits }),
      signal: AbortSignal.any([hangs.signal, this.#stopping.signal]),
    })
      .then(async (response) => ({ response, answer: (await response.json()) as Record<string, unknown> }))
      .finally(() => answered.abort());
    if (response.ok) return answer as T;
    // A judge of the release before searches no hints.
    if (path === 'hint' && response.status === 404) return null as T;
    const message = String(answer.message ?? response.status);
    if (response.status === 400 || response.status === 413) throw new InvalidSubmission(message);
    throw new JudgeUnavailable(
      answer.reason === 'busy' || answer.reason === 'own_runs' ? answer.reason : 'failed',
      message,
      Number(response.headers.get('retry-after')) || 2,
    );
  }

  /** At once where it does not say that it lives. */
  async #watch(url: string, totalMs: number, answered: AbortSignal, hangs: AbortController): Promise<void> {
    const latest = performance.now() + MAX_WAIT_MS + outerMs({ totalMs }) + GRACE_MS;
    let pauseMs = totalMs + GRACE_MS - HEALTH_TIMEOUT_MS;
    try {
      do {
        await sleep(pauseMs, undefined, { signal: answered, ref: false });
        pauseMs = LOOK_EVERY_MS;
      } while (performance.now() < latest && (await lives(url)));
      hangs.abort(new JudgeHangs(`${url} does not answer.`));
    } catch {
      // It has answered.
    }
  }

  #avoidUntilItLives(address: Address): void {
    if (address.avoidUntil === Number.POSITIVE_INFINITY) return;
    address.avoidUntil = Number.POSITIVE_INFINITY;
    const look = async () => {
      while (!(await lives(address.url)))
        await sleep(LOOK_EVERY_MS, undefined, {
          signal: this.#stopping.signal,
          ref: false,
        });
      address.avoidUntil = 0;
    };
    look().catch(() => {});
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
