import { distance } from 'fastest-levenshtein';

/** Other programs' variables with these prefixes are in OTHERS. */
const OWN_PREFIXES = [
  'DATABASE_',
  'STRIPE_',
  'S3_',
  'SMTP_',
  'PAYMENT_',
  'BACKUP_',
  'SEED_',
  'TRUST_',
  'METRICS_',
];

const OTHERS = new Set([
  'JUDGE_HOST',
  'JUDGE_PORT',
  'TEST_DATABASE_URL',
  'SITE_DATA_DIR',
  'DATABASE_PASSWORD',
  'DATABASE_SOCKET',
  'STRIPE_API_KEY',
  'STRIPE_DEVICE_NAME',
  'STRIPE_CLI_TELEMETRY_OPTOUT',
]);

const OF_A_SERVICE = /^[A-Z0-9_]+_(SERVICE_(HOST|PORT.*)|PORT|PORT_\d+_(TCP|UDP).*|ENV_.+|NAME)$/;

const GONE: Record<string, string> = {
  SELLS_TO_EU_CONSUMERS: 'no purchase is withdrawn from any more',
};

const letters = (name: string) => [...name].sort().join('');

function isClose(name: string, known: string): boolean {
  const upper = name.toUpperCase();
  // More than two wrong letters would take other programs' names for ours.
  return distance(upper, known) <= (known.length >= 12 ? 2 : 1) || letters(upper) === letters(known);
}

/** Why a variable's name is probably a mistake, or null. */
export function problemWithName(
  name: string,
  source: Record<string, string | undefined>,
  known: readonly string[],
): string | null {
  const value = source[name]?.trim();
  if (known.includes(name) || OTHERS.has(name) || value === undefined) return null;
  if (value !== '' && /^postgres(ql)?:\/\//.test(value) && !source.DATABASE_URL) {
    return `${name} names a database, but DATABASE_URL is the setting that is read: rename it, or unset it`;
  }
  if (value !== '' && Object.hasOwn(GONE, name))
    return `${name} is no setting any more, as ${GONE[name]}: unset it`;
  const meant = known.find((one) => isClose(name, one));
  if (meant) return `${name} is no setting: did you mean ${meant}? Rename it, or unset it`;
  if (!OWN_PREFIXES.some((prefix) => name.startsWith(prefix)) || OF_A_SERVICE.test(name)) return null;
  const [nearest] = [...known].sort((a, b) => distance(name, a) - distance(name, b));
  return `${name} is no setting: the nearest is ${nearest}. Rename it, or unset it`;
}

/** Or null. Node's reader skips what it does not understand; the line may hold a secret and is not quoted. */
export function problemWithSettingsFile(text: string): string | null {
  const lines = text.split(/\r?\n/);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, value] = /^(?:export\s+)?[A-Za-z_]\w*\s*=\s*(.*)$/.exec(line) ?? [];
    if (value === undefined) return `.env, line ${index + 1}, is not of the form NAME=value`;
    const quote = /^["'`]/.exec(value)?.[0];
    if (!quote || value.indexOf(quote, 1) > 0) continue;
    const end = lines.findIndex((later, at) => at > index && later.includes(quote));
    if (end < 0) return `.env, line ${index + 1}, has a quotation mark that is not closed`;
    index = end;
  }
  return null;
}
