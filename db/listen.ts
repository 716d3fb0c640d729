import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';

const PROOF_EVERY_MS = 200;
const ANSWER_WITHIN_MS = 2_000;

export interface Listener {
  /**
   * By `performance.now()`: every earlier notification has arrived; does not move while the connection is
   * lost.
   */
  provenAt(): number;
  stop(): Promise<void>;
}

/** Proves again and again that it listens: connections end silently, and poolers swap sessions. */
export function listenTo(
  channel: string,
  {
    url,
    socketPath,
    onMessage,
    onState = () => {},
  }: {
    url: string;
    socketPath?: string | undefined;
    onMessage: (text?: string) => void;
    onState?: (listening: boolean, reason?: unknown) => void;
  },
): Listener {
  const ending = new AbortController();
  let provenAt = Number.NEGATIVE_INFINITY;
  let isListening: boolean | undefined;
  let current: postgres.Sql | undefined;

  const tell = (listening: boolean, reason?: unknown) => {
    if (isListening !== listening) onState(listening, reason);
    isListening = listening;
  };
  const connect = () => {
    const options = {
      max: 1,
      ...(socketPath ? { path: socketPath } : {}),
      idle_timeout: 0,
      max_lifetime: null,
      connect_timeout: 5,
      fetch_types: false,
      prepare: false,
      onnotice: () => {},
      onnotify: (_channel: string, text: string) => onMessage(text),
      connection: { application_name: 'academy listening' },
    };
    return postgres(url, options);
  };

  async function proveUntilLost(sql: postgres.Sql): Promise<never> {
    let isNew = false;
    for (;;) {
      const asked = performance.now();
      const { length } = await within(
        sql`select 1 from pg_listening_channels() as one(name) where name = ${channel}`,
      );
      if (length > 0) {
        // Notifications of earlier commits come before this answer, so they have been heard.
        provenAt = asked;
        tell(true);
      } else {
        await within(sql.unsafe(`listen "${channel}"`));
        onMessage();
      }
      isNew = length === 0 && !isNew;
      if (!isNew) await sleep(PROOF_EVERY_MS, undefined, { ref: false, signal: ending.signal });
    }
  }

  async function within<T>(answer: PromiseLike<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, fail) => {
      timer = setTimeout(
        () => fail(new Error('The listening connection does not answer.')),
        ANSWER_WITHIN_MS,
      );
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  const running = (async () => {
    while (!ending.signal.aborted) {
      current = connect();
      try {
        await proveUntilLost(current);
      } catch (error) {
        if (ending.signal.aborted) return;
        tell(false, error);
        void current.end({ timeout: 0 }).catch(() => {});
        await sleep(PROOF_EVERY_MS, undefined, { ref: false, signal: ending.signal }).catch(() => {});
      }
    }
  })();

  return {
    provenAt: () => provenAt,
    stop: async () => {
      ending.abort();
      await current?.end({ timeout: 1 });
      await running;
    },
  };
}
