import { z } from 'zod';
import {
  code,
  filled,
  flag,
  frontMatter,
  type LessonFiles,
  lessonFormat,
  line,
  text,
} from '#src/features/lessons/lesson-format.server.ts';
import { coding } from './definition.ts';
import { CODING_LANGUAGES, codingLanguage, languagesInWords } from './languages.ts';
import { codeLimitsInput, EXERCISE_MAX, NO_MEMORY_LIMIT } from './limits.ts';

const testCase = z
  .strictObject({
    description: line(200).optional(),
    input: code(5000),
    expectedOutput: code(5000).optional(),
    expectsEmpty: flag.optional(),
    hidden: flag.optional(),
    mode: z.enum(['call', 'stdin'], 'must be call or stdin').optional(),
    strict: flag.optional(),
  })
  .refine(({ expectedOutput, expectsEmpty }) => (expectedOutput === undefined) === (expectsEmpty === true), {
    path: ['expectedOutput'],
    error: 'must be there, or expectsEmpty: true in its place',
  })
  .transform(({ expectedOutput = '', ...test }) => ({ ...test, expectedOutput }));

const expectedMistake = z
  .strictObject({
    say: text(EXERCISE_MAX.say),
    code: code(EXERCISE_MAX.mark).optional(),
    lacks: code(EXERCISE_MAX.mark).optional(),
    result: code(EXERCISE_MAX.mark).optional(),
    program: code(EXERCISE_MAX.code),
  })
  .refine((mistake) => (mistake.code ?? mistake.lacks ?? mistake.result) !== undefined, {
    path: ['code'],
    error: 'or lacks or result must be there',
  });

const front = frontMatter(coding.name, {
  language: z.enum(CODING_LANGUAGES, `must be one of ${CODING_LANGUAGES.join(', ')}`),
  content: text(100_000).optional(),
  expectedOutput: code(5000).optional(),
  hints: z.array(text(1000), 'must be a list').max(20, 'has more than 20').default([]),
  tests: z.array(testCase, 'must be a list').max(50, 'has more than 50').default([]),
  limits: codeLimitsInput.optional(),
  mistakes: z
    .array(expectedMistake, 'must be a list')
    .max(EXERCISE_MAX.mistakes, `has more than ${EXERCISE_MAX.mistakes}`)
    .default([]),
  solutionNotes: text(EXERCISE_MAX.solutionNotes).optional(),
  showsPrograms: flag.default(false),
})
  .omit({ instructions: true })
  .refine((lesson) => lesson.tests.every(({ hidden, description }) => !hidden || description), {
    path: ['tests'],
    error: 'a hidden test needs a description: it is all that the learner sees of it',
  })
  .refine(
    (lesson) =>
      codingLanguage(lesson.language).takesLines || lesson.tests.every(({ mode }) => mode !== 'stdin'),
    { path: ['tests'], error: `mode stdin is for ${languagesInWords('conjunction', 'takesLines')}` },
  )
  .refine(
    ({ language, limits }) => limits?.memoryMb === undefined || codingLanguage(language).hasMemoryLimit,
    {
      path: ['limits', 'memoryMb'],
      error: NO_MEMORY_LIMIT,
    },
  );

type Front = z.output<typeof front>;

async function codeFile({ name, complete, has, text, fail }: LessonFiles, kind: string): Promise<string> {
  const path = `code/${name}.${kind}`;
  if (!complete && !has(path)) return '';
  const found = (await text(path)) ?? '';
  if (found.length > EXERCISE_MAX.code) fail(path, `is longer than ${EXERCISE_MAX.code} characters`);
  if (found.includes('\0')) fail(path, 'has characters that cannot be stored');
  return found;
}

export const codingFormat = lessonFormat({
  type: coding.name,
  front,
  labels: {
    language: 'Language',
    content: 'Content',
    expectedOutput: 'Expected output',
    hints: 'Hints',
    tests: 'Tests',
    limits: 'Limits',
    mistakes: 'Expected mistakes',
    starterCode: 'Starter code',
    solution: 'Reference solution',
    solutionNotes: 'What to notice in the solution',
    showsPrograms: 'Programs of others',
  },
  async read(
    {
      language,
      content = '',
      expectedOutput,
      hints,
      tests,
      limits,
      mistakes,
      solutionNotes,
      showsPrograms,
    }: Front,
    files,
  ) {
    if (files.complete && tests.length === 0 && expectedOutput === undefined) {
      files.lacks('tests', 'are missing: a coding lesson needs tests or an expectedOutput');
    }
    const { extension, fixture } = codingLanguage(language);
    return {
      language,
      expectedOutput,
      hints,
      tests,
      limits,
      mistakes,
      solutionNotes,
      showsPrograms,
      starterCode: await codeFile(files, `starter.${extension}`),
      solution: await codeFile(files, `solution.${extension}`),
      content: fixture ? await codeFile(files, `fixture.${fixture.file}`) : content,
    };
  },
  write({ name, language, content, starterCode, solution, ...lesson }) {
    const { extension, fixture } = codingLanguage(language);
    const files = {
      [`code/${name}.starter.${extension}`]: starterCode,
      [`code/${name}.solution.${extension}`]: solution,
      ...(fixture ? { [`code/${name}.fixture.${fixture.file}`]: content } : {}),
    };
    return {
      keys: {
        language,
        content: fixture ? undefined : content,
        expectedOutput: lesson.expectedOutput,
        hints: lesson.hints.map((hint) => hint.trim()),
        tests: lesson.tests.map(({ mode, ...test }) =>
          filled({
            description: test.description,
            input: test.input,
            expectedOutput: test.expectedOutput,
            expectsEmpty: test.expectsEmpty,
            hidden: test.hidden,
            mode: mode === 'call' ? undefined : mode,
            strict: test.strict,
          }),
        ),
        limits: lesson.limits,
        mistakes: lesson.mistakes,
        solutionNotes: lesson.solutionNotes,
        showsPrograms: lesson.showsPrograms,
      },
      files,
    };
  },
  columns: ({
    language,
    content,
    expectedOutput,
    hints,
    tests,
    limits,
    mistakes,
    solutionNotes,
    showsPrograms,
    starterCode,
    solution,
  }) => ({
    content,
    codingLanguage: language,
    expectedOutput: expectedOutput ?? null,
    hints,
    testCases: tests,
    codeLimits: limits ?? {},
    expectedMistakes: mistakes,
    solutionNotes: solutionNotes ?? null,
    showsPrograms,
    starterCode,
    solution,
  }),
  fromRow: ({
    codingLanguage,
    content,
    expectedOutput,
    hints,
    testCases,
    codeLimits,
    expectedMistakes,
    solutionNotes,
    showsPrograms,
    starterCode,
    solution,
  }) => ({
    language: codingLanguage!,
    content,
    expectedOutput: expectedOutput?.trim() ? expectedOutput : undefined,
    hints,
    tests: testCases,
    limits: Object.keys(codeLimits).length > 0 ? codeLimits : undefined,
    mistakes: expectedMistakes,
    solutionNotes: solutionNotes?.trim() || undefined,
    showsPrograms,
    starterCode: starterCode ?? '',
    solution: solution ?? '',
  }),
});
