interface LanguageFacts {
  label: string;
  extension: string;
  /** Of a phone's key bar. */
  keys: string;
  hasPreview?: true;
  /** Its programs can read lines (decision 44). */
  takesLines?: true;
  /** What a test calls returns a typed value (decision 65). */
  hasTypes?: true;
  /** Its runs can be replayed step by step (decision 136). */
  hasReplay?: true;
  hasMemoryLimit?: true;
  fixture?: {
    label: string;
    hint: string;
    shown: string;
    file: string;
  };
  /** A test's input (decisions 45–49). */
  input: { label: string; example: string };
}

const EXPRESSION = { label: 'An expression, evaluated after the program has run', example: 'add(2, 3)' };

/** In the order in which authors are offered them (spec 2). */
const LANGUAGES = {
  javascript: {
    label: 'JavaScript',
    extension: 'js',
    keys: `{}();='"`,
    takesLines: true,
    hasTypes: true,
    hasReplay: true,
    hasMemoryLimit: true,
    input: EXPRESSION,
  },
  python: {
    label: 'Python',
    extension: 'py',
    keys: `():_#='"`,
    takesLines: true,
    hasTypes: true,
    hasReplay: true,
    input: EXPRESSION,
  },
  html: {
    label: 'HTML',
    extension: 'html',
    keys: '<>/="',
    hasPreview: true,
    input: {
      label: 'A CSS selector; | count, | @attribute or | html say what of it',
      example: 'nav a | count',
    },
  },
  css: {
    label: 'CSS',
    extension: 'css',
    keys: '{}:;#."',
    hasPreview: true,
    fixture: {
      label: 'Markup to style',
      hint: 'The page that the learner’s CSS applies to. They see it and cannot change it.',
      shown: 'The page you style (HTML)',
      file: 'html',
    },
    input: {
      label: 'selector | property, with @media (…) or @container (…) in front where it matters',
      example: '.card | color',
    },
  },
  react: {
    label: 'React',
    extension: 'jsx',
    keys: '<>/{}()"',
    hasPreview: true,
    hasMemoryLimit: true,
    input: {
      label: 'An element; then steps such as ; click button, and | query as for HTML',
      example: '<Counter />; click button | p',
    },
  },
  typescript: {
    label: 'TypeScript',
    extension: 'ts',
    keys: ':<>{}|?"',
    takesLines: true,
    hasTypes: true,
    hasMemoryLimit: true,
    input: {
      label: 'An expression; or “must not compile: ” and a line (error), or “type of ” and an expression',
      example: 'add(2, 3)',
    },
  },
  sql: {
    label: 'SQL',
    extension: 'sql',
    keys: "'()*=<>",
    fixture: {
      label: 'Tables and rows',
      hint: 'Statements that make what learners ask: CREATE TABLE and INSERT. Each test begins with them. Learners see it.',
      shown: 'The tables of this lesson (SQL)',
      file: 'sql',
    },
    input: {
      label:
        'What is looked at afterwards: result, result in order, table NAME, plan, refused: STATEMENT, or a query',
      example: 'result in order',
    },
  },
} as const satisfies Record<string, LanguageFacts>;

export type CodingLanguage = keyof typeof LANGUAGES;
export const CODING_LANGUAGES = Object.keys(LANGUAGES) as [CodingLanguage, ...CodingLanguage[]];

export function codingLanguage(language: CodingLanguage): LanguageFacts {
  return LANGUAGES[language];
}

export function languageLabel(language: CodingLanguage): string {
  return LANGUAGES[language].label;
}

export function hasFixture(language: string | null | undefined): boolean {
  const known: Record<string, LanguageFacts> = LANGUAGES;
  return language != null && Object.hasOwn(known, language) && known[language]!.fixture !== undefined;
}

/** The languages in a sentence, such as "JavaScript and Python". */
export function languagesInWords(
  type: 'conjunction' | 'disjunction',
  fact?: 'takesLines' | 'hasMemoryLimit',
): string {
  const languages = CODING_LANGUAGES.filter((language) => !fact || codingLanguage(language)[fact]);
  return new Intl.ListFormat('en-GB', { type }).format(languages.map(languageLabel));
}
