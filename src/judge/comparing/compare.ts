import type { JudgeTest, Language } from '#src/judge/protocol.ts';
import { sameNumber } from './numbers.ts';

const MAX_DEPTH = 500;

type Normalizer = (value: string, test: Pick<JudgeTest, 'input'>) => string;

const NORMALIZERS: Partial<Record<Language, Normalizer>> = {};

let ofSql: typeof import('./sql.ts') | null = null;

export async function prepareComparison(language: Language): Promise<void> {
  if (language === 'sql') ofSql ??= await import('./sql.ts');
  if (NORMALIZERS[language] || !['html', 'css', 'react'].includes(language)) return;
  const [{ normalizeCss }, { comparedProperty }] = await Promise.all([
    import('./css-values.ts'),
    import('#src/judge/languages/web/query.ts'),
  ]);
  NORMALIZERS[language] = (value, { input }) => {
    const property = comparedProperty(language, input);
    return property ? normalizeCss(property, value) : value;
  };
}

/** Without CRLF, white space at the ends of lines and blank lines at the end (decision 44). */
export function normalizeText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}

/** Whole numbers beyond a double's precision stay texts. */
type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

function parseJson(text: string): { value: Json } | null {
  try {
    const exact = (_: string, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' &&
      Math.abs(value) > Number.MAX_SAFE_INTEGER &&
      /^-?\d+$/.test(context?.source ?? '')
        ? BigInt(context!.source!)
        : value;
    return { value: JSON.parse(text, exact) as Json };
  } catch {
    return null;
  }
}

const isNumber = (value: Json) => typeof value === 'number' || typeof value === 'bigint';

function sameJson(a: Json, b: Json, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (typeof a === 'bigint' && typeof b === 'bigint') return a === b;
  if (isNumber(a) && isNumber(b)) return sameNumber(Number(a), Number(b));
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => sameJson(item, b[index]!, depth + 1));
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key]!, b[key]!, depth + 1));
}

/** Trailing space does not count, nor 1e-9 of a JSON number (decision 44). */
export function matches(
  language: Language,
  got: string,
  expected: string,
  test: Pick<JudgeTest, 'input'> | null,
): boolean {
  if (language === 'sql' && test && ofSql) return ofSql.sameSql(got, expected, test.input);
  const normalizer = NORMALIZERS[language];
  const bring = (text: string) => {
    const normal = normalizeText(text);
    return test && normalizer ? normalizer(normal, test) : normal;
  };
  const [left, right] = [bring(got), bring(expected)];
  if (left === right) return true;
  const [a, b] = [parseJson(left), parseJson(right)];
  return a !== null && b !== null && sameJson(a.value, b.value, 0);
}

/** Null for all but a wrong answer of rows. */
export function tablesOf(
  language: Language,
  got: string | null,
  { input, expectedOutput }: Pick<JudgeTest, 'input' | 'expectedOutput'>,
) {
  return language === 'sql' && got !== null
    ? (ofSql?.shownDifference(got, expectedOutput, input) ?? null)
    : null;
}
