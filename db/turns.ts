import { AsyncLocalStorage } from 'node:async_hooks';
import type postgres from 'postgres';
import { joining } from './together.ts';

export class PoolExhausted extends Error {
  override name = 'PoolExhausted';
  readonly code = 'POOL_EXHAUSTED';
}

/** Work at most so many at once, in the order in which it was asked for. */
export class Turns {
  readonly max: number;
  readonly #waitMs: number | undefined;
  readonly #queue = new Set<() => void>();
  #inUse = 0;

  /** `waitMs`: after it a wait ends with `PoolExhausted`; without it a wait has no end. */
  constructor(max: number, waitMs?: number) {
    this.max = max;
    this.#waitMs = waitMs;
  }

  get inUse(): number {
    return this.#inUse;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  tryTake(): boolean {
    if (this.#inUse >= this.max) return false;
    this.#inUse += 1;
    return true;
  }

  take(): Promise<void> {
    if (this.tryTake()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#queue.delete(go);
        reject(new PoolExhausted('No database connection came free in time.'));
      };
      const timer = this.#waitMs === undefined ? undefined : setTimeout(giveUp, this.#waitMs);
      const go = () => {
        clearTimeout(timer);
        this.#queue.delete(go);
        resolve();
      };
      this.#queue.add(go);
    });
  }

  readonly release = (): void => {
    const [next] = this.#queue;
    if (next) next();
    else this.#inUse -= 1;
  };

  /** Takes a turn for a piece of work and gives it back after. */
  run<T>(work: () => T | PromiseLike<T>): Promise<T> {
    const run = async () => {
      try {
        return await work();
      } finally {
        this.release();
      }
    };
    return this.tryTake() ? run() : this.take().then(run);
  }
}

type Client = postgres.Sql;
type Unsafe = Client['unsafe'];

export const transaction = new AsyncLocalStorage<{ isPatient: boolean }>();

/** Bounds how long a query waits for its connection. */
export function takingTurns(client: Client, turns: Turns): Client {
  const own: Record<string | symbol, unknown> = {
    unsafe: joining((query: string, values: Values = [], options: Options = {}) =>
      inTurn(client.unsafe(query, values, named(values, options)), turns),
    ),
    begin: (...args: [...options: string[], work: (tx: postgres.TransactionSql) => unknown]) => {
      const work = args.pop() as (tx: postgres.TransactionSql) => unknown;
      const run = (tx: postgres.TransactionSql) => work(preparing(tx));
      const [options] = args as string[];
      return turns.run(() => (options === undefined ? client.begin(run) : client.begin(options, run)));
    },
  };
  return new Proxy(client, {
    apply: (target, self, args: Parameters<Client>) => {
      const made: unknown = Reflect.apply(target, self, args);
      return made instanceof Promise ? inTurn(made, turns) : made;
    },
    get: (target, name) => (Object.hasOwn(own, name) ? own[name] : Reflect.get(target, name)),
    set: (_target, name, value) => {
      own[name] = value;
      return true;
    },
  });
}

type Values = NonNullable<Parameters<Unsafe>[1]>;
type Options = NonNullable<Parameters<Unsafe>[2]>;

const PREPARED_MAX_PARAMETERS = 24;

/** The server is asked twice for a query without a name, first for its parameters' types. */
const named = (values: Values, options: Options): Options => ({
  ...options,
  prepare: options.prepare === true || (values.length > 0 && values.length <= PREPARED_MAX_PARAMETERS),
});

function preparing(tx: postgres.TransactionSql): postgres.TransactionSql {
  const { unsafe } = tx;
  const own: Unsafe = (query, values = [], options = {}) =>
    unsafe(query, values, { ...named(values, options), patient: transaction.getStore()?.isPatient === true });
  return Object.assign(tx, { unsafe: own });
}

function inTurn<Q extends Promise<unknown>>(query: Q, turns: Turns): Q {
  const send = query.then.bind(query);
  let sent: Promise<unknown> | undefined;
  const then: Q['then'] = (done, failed) => {
    sent ??= turns.run(() => send());
    return sent.then(done, failed);
  };
  // A query that becomes a part of another is never waited for: that one has the turn.
  return Object.assign(query, { then });
}
