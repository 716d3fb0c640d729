import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { SESSION_SETTINGS } from './client.ts';

const HEARD_WITHIN_MS = 5_000;
const AGAIN_AFTER_MS = 250;

const TIMEOUTS = ['statement_timeout', 'idle_in_transaction_session_timeout'] as const;

const MEND = {
  mode: 'a pooler stands between that hands its connections round, and notifications (LISTEN) are lost: set it to session mode (PgBouncer: pool_mode = session), or name the database itself',
  settings: (user: string) =>
    `a pooler stands between that does not pass on ${TIMEOUTS.join(' and ')}: let it ignore them (PgBouncer: ignore_startup_parameters = ${TIMEOUTS.join(', ')}), and set them for the user once, with ${TIMEOUTS.map((name) => `"alter role ${user} set ${name} = '${SESSION_SETTINGS[name]}ms'"`).join(' and ')}`,
};

/** Tries whether a connection is one session: whether settings hold and notifications arrive. */
export async function sessionFault(url: string): Promise<string | null> {
  const channel = `session_${randomBytes(8).toString('hex')}`;
  let isHeard = false;
  const connect = (onnotify: () => void) => {
    const options = {
      max: 1,
      connect_timeout: 5,
      fetch_types: false,
      prepare: false,
      onnotice: () => {},
      // Known to the driver, though not to its types.
      onnotify,
      connection: SESSION_SETTINGS,
    };
    return postgres(url, options);
  };
  const listening = connect(() => {
    isHeard = true;
  });
  // Where connections are handed round, it may be the one that is told.
  const telling = connect(() => {});
  const settings = MEND.settings(decodeURIComponent(new URL(url).username) || 'USER');
  try {
    await listening.unsafe(`listen "${channel}"`);
    const [held] = await telling<{ names: string[] }[]>`
      select array_agg(name) as names from pg_settings
      where name in ${telling([...TIMEOUTS])} and setting::int = 0`;
    if (held?.names) return settings;
    const deadline = performance.now() + HEARD_WITHIN_MS;
    while (!isHeard && performance.now() < deadline) {
      await telling.unsafe(`notify "${channel}"`);
      await sleep(AGAIN_AFTER_MS / 5);
      if (!isHeard) await sleep(AGAIN_AFTER_MS);
    }
    return isHeard ? null : MEND.mode;
  } catch (error) {
    if (/startup parameter/.test((error as Error).message)) return settings;
    throw error;
  } finally {
    await Promise.all([listening.end({ timeout: 1 }), telling.end({ timeout: 1 })]);
  }
}
