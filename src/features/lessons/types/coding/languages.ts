interface LanguageFacts {
  label: string;
  /** How the files of its programs end. */
  extension: string;
  /** Its signs that are far away on a phone's keyboard, at most seven; without them those of most languages. */
  keys?: string;
  /** Its result is something to look at: its lessons have a live preview. */
  hasPreview?: true;
  /** Its programs can be given lines to read (decision 44). */
  takesLines?: true;
  /** What a test calls gives back a value, which has a type (decision 65). */
  hasTypes?: true;
  /** Its runs can be walked through step by step (decision 136). */
  hasReplay?: true;
  /** The memory of its programs can be set: that of Python is the size of its interpreter's. */
  hasMemoryLimit?: true;
  /** What its programs work on, written by the author into the lesson's further text; learners see it. */
  fixture?: {
    label: string;
    hint: string;
    /** What learners read above it. */
    shown: string;
    /** How its file ends in the files of a course. */
    file: string;
  };
  /** What the input of a test is (decisions 45–49), for the author. */
  input: { label: string; example: string };
}

const EXPRESSION = { label: 'An expression, evaluated after the program has run', example: 'add(2, 3)' };

/**
 * What is known of each language of coding lessons (spec 2), in the order in which authors are offered them. What needs
 * more than a word for a language (its syntax, its colors, how its programs are broken) has a table of its own, and goes
 * without where the language is not in it.
 */
const LANGUAGES = {
  javascript: {
    label: 'JavaScript',
    extension: 'js',
    takesLines: true,
    hasTypes: true,
    hasReplay: true,
    hasMemoryLimit: true,
    input: EXPRESSION,
  },
  python: {
    label: 'Python',
    extension: 'py',
    keys: '():_#=',
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
    keys: '{}:;#.',
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
    keys: '<>/{}()',
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
    keys: ':<>{}|?',
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

/** All that there is to know about a language. */
export function codingLanguage(language: CodingLanguage): LanguageFacts {
  return LANGUAGES[language];
}

/** What a language is called on pages. */
export function languageLabel(language: CodingLanguage): string {
  return LANGUAGES[language].label;
}

/** Whether the further text of its lessons is what its programs work on, and nothing to read. */
export function hasFixture(language: string | null | undefined): boolean {
  const known: Record<string, LanguageFacts> = LANGUAGES;
  return language != null && Object.hasOwn(known, language) && known[language]!.fixture !== undefined;
}

/**
 * The languages in a sentence, such as "JavaScript and Python".
 *
 * @param type "or" between them, or "and"
 * @param fact only those of which this is so
 */
export function languagesInWords(
  type: 'conjunction' | 'disjunction',
  fact?: 'takesLines' | 'hasMemoryLimit',
): string {
  const languages = CODING_LANGUAGES.filter((language) => !fact || codingLanguage(language)[fact]);
  return new Intl.ListFormat('en-GB', { type }).format(languages.map(languageLabel));
}
