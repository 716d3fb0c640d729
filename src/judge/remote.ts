import { InvalidSubmission, JudgeUnavailable, type Submission, type Verdict } from './protocol.ts';
import type { RunLimits } from './runner.ts';
import type { JudgeHealth } from './supervisor.ts';

/** Longer than any submission waits and runs. */
const ANSWER_TIMEOUT_MS = 45_000;
const HEALTH_TIMEOUT_MS = 2_000;
/** One that failed is passed over for so long, unless all have. */
const AVOID_MS = 5_000;

interface Address {
  url: string;
  avoidUntil: number;
  underWay: number;
}

/** Judges that run on their own and are asked over HTTP. One that fails is passed over and the next is asked. */
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
    for (const address of this.#inOrder()) {
      address.underWay += 1;
      try {
        return await this.#ask(address, submission, limits);
      } catch (error) {
        if (error instanceof InvalidSubmission) throw error;
        if (error instanceof JudgeUnavailable && error.reason === 'busy') busy ??= error;
        else address.avoidUntil = performance.now() + AVOID_MS;
      } finally {
        address.underWay -= 1;
      }
    }
    throw busy ?? new JudgeUnavailable('failed', 'No judge answers at the moment.', 5);
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
      answer.reason === 'busy' ? 'busy' : 'failed',
      message,
      Number(response.headers.get('retry-after')) || 2,
    );
  }

  async health(): Promise<JudgeHealth> {
    const lanes: Record<string, { ok: boolean }> = {};
    await Promise.all(
      this.#addresses.map(async (address) => {
        const ok = await fetch(`${address.url}/health`, {
          redirect: 'error',
          signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
        })
          .then((response) => response.ok)
          .catch(() => false);
        if (ok) address.avoidUntil = 0;
        lanes[address.url] = { ok };
      }),
    );
    const ok = Object.values(lanes).some((lane) => lane.ok);
    return { ok, mode: 'remote', lanes, counters: null, layers: [] };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
  }
}
