import type { Language, Submission } from './protocol.ts';

/** Tells by its text whether a program changes nothing that a later test of the same sandbox could find. */
type Reader = (code: string, inputs: readonly string[]) => boolean;

const READERS: Partial<Record<Language, Reader>> = {};

/** Loads what reading a language's programs needs; a site whose lessons use none of it does not pay for it. */
export async function prepareSharing(language: Language): Promise<void> {
  if (language !== 'javascript' || READERS.javascript) return;
  READERS.javascript = (await import('./languages/javascript/plain.ts')).isPlain;
}

/**
 * Whether all tests of a submission may follow each other in one sandbox. It is read here and not in a child, whose
 * engine has no compilers and takes four times as long. Never where `prepareSharing` has not been called.
 */
export function mayShareSandbox({ language, code, tests }: Submission): boolean {
  const asked = tests.filter(({ mode }) => mode !== 'stdin').map(({ input }) => input);
  return tests.length > 1 && (READERS[language]?.(code, asked) ?? false);
}
