import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { GateFacts, GateFinding, lessons } from '#db/schema/catalogue.ts';
import type { CheckReport } from '#src/features/scenario/check.ts';
import { fileStore, findFile } from '#src/server/files/files.ts';
import { finding, mutationsMs, proveCoding } from './check-coding.server.ts';
import { checkLink, type LinkNetwork, linksOf } from './check-links.server.ts';
import type { QuestionFields } from '#src/features/authoring/lesson-editor/lessons.ts';

/** A lesson with all that the gate looks at. */
export interface GateLesson {
  lesson: typeof lessons.$inferSelect;
  questions: QuestionFields[];
  scenario: Record<string, unknown> | null;
}

type Proof = { findings: GateFinding[]; facts: GateFacts };

/** Links of one lesson that are asked; a page with more is a list of links and no lesson. */
const LINKS_MAX = 60;
const LINKS_AT_ONCE = 6;
/** Milliseconds for the check of a scenario. */
const SCENARIO_MS = 40_000;

/**
 * Everything that the gate has to say about a lesson. Writes nothing.
 *
 * @param lessonCount lessons that are checked in the same run, which share the time for mutations
 * @throws {JudgeUnavailable} where the judge gave no verdict
 */
export async function proveLesson(
  { lesson, questions, scenario }: GateLesson,
  { network, lessonCount = 1 }: { network?: LinkNetwork; lessonCount?: number } = {},
): Promise<Proof> {
  const parts: Proof[] = [];
  if (lesson.type === 'interactive_coding') {
    parts.push(
      await proveCoding(
        {
          language: lesson.codingLanguage!,
          starterCode: lesson.starterCode ?? '',
          solution: lesson.solution ?? '',
          expectedOutput: lesson.expectedOutput ?? '',
          tests: lesson.testCases,
          fixture: lesson.content,
        },
        mutationsMs(lessonCount),
      ),
    );
  }
  if (lesson.type === 'scenario') parts.push(await proveScenario(scenario));
  parts.push({ findings: [...proveTexts(lesson), ...proveQuestions(lesson, questions)], facts: {} });
  parts.push(await proveAddresses({ lesson, questions, scenario }, network));
  return {
    findings: parts.flatMap(({ findings }) => findings),
    facts: Object.assign({}, ...parts.map(({ facts }) => facts)) as GateFacts,
  };
}

function proveTexts(lesson: GateLesson['lesson']): GateFinding[] {
  const findings: GateFinding[] = [];
  const missing = (field: string, message: string) => findings.push(finding('error', field, message));
  if (lesson.type === 'text' && !lesson.content.trim()) missing('content', 'The lesson has no text.');
  if (lesson.type === 'interactive_coding' && !lesson.instructions?.trim()) {
    missing('instructions', 'The instructions are empty: nobody knows what to write.');
  }
  if (lesson.type === 'interactive_coding' && lesson.codingLanguage === 'css' && !lesson.content.trim()) {
    missing('content', 'There is no markup that the styles could be applied to.');
  }
  if ((lesson.type === 'video' || lesson.type === 'document') && !lesson.fileUrl?.trim()) {
    missing('fileUrl', `The ${lesson.type} has no file.`);
  }
  if (lesson.watchRequired && lesson.durationSeconds === null) {
    missing(
      'durationSeconds',
      'The video must be watched, but its length is not known, so nobody can complete it.',
    );
  }
  return findings;
}

function proveQuestions(lesson: GateLesson['lesson'], questions: QuestionFields[]): GateFinding[] {
  if (lesson.type !== 'quiz') return [];
  if (questions.length === 0) return [finding('error', 'questions', 'The quiz has no questions.')];
  const findings: GateFinding[] = [];
  for (const [index, { question, options, correctAnswer, explanation }] of questions.entries()) {
    const say = (severity: GateFinding['severity'], what: string) =>
      findings.push(finding(severity, 'questions', `Question ${index + 1} ${what}`));
    const shown = options.map((option) => option.trim());
    if (!question.trim()) say('error', 'is empty.');
    if (shown.length < 2 || shown.includes(''))
      say('error', 'needs at least two options, none of them empty.');
    if (!shown[correctAnswer]) say('error', 'has no right answer.');
    if (new Set(shown).size !== shown.length) say('error', 'offers the same option twice.');
    if (!explanation.trim()) say('warning', 'has no explanation: who is wrong learns only that.');
  }
  return findings;
}

async function proveScenario(definition: Record<string, unknown> | null): Promise<Proof> {
  if (!definition) return { findings: [finding('error', 'scenario', 'The scenario is missing.')], facts: {} };
  const report = await scenarioReport(definition);
  if (!report) {
    const message = `The scenario could not be checked within ${SCENARIO_MS / 1000} seconds: it has too many situations.`;
    return { findings: [finding('error', 'scenario', message)], facts: {} };
  }
  return {
    findings: report.findings.map(({ level, at, message }) =>
      finding(level, 'scenario', /^(scenario|rules|goals|events)$/.test(at) ? message : `${at}: ${message}`),
    ),
    facts: { states: report.states },
  };
}

/** The check in a thread of its own; null where it came to no end. */
function scenarioReport(definition: unknown): Promise<Pick<CheckReport, 'findings' | 'states'> | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./check-scenario-worker.ts', import.meta.url), {
      workerData: definition,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    const timer = setTimeout(() => void worker.terminate(), SCENARIO_MS);
    worker.once('message', resolve);
    worker.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve(null) : reject(error),
    );
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve(null);
    });
  });
}

/** What the lesson links to: files of this site are looked up, everything else is asked. */
async function proveAddresses(
  { lesson, questions, scenario }: GateLesson,
  network: LinkNetwork | undefined,
): Promise<Proof> {
  const places: { address: string; field: string; where: string }[] = [];
  const hasFile = lesson.type === 'video' || lesson.type === 'document';
  if (hasFile && lesson.fileUrl)
    places.push({ address: lesson.fileUrl, field: 'fileUrl', where: 'The file' });
  if (lesson.type === 'video' && lesson.captionsUrl) {
    places.push({ address: lesson.captionsUrl, field: 'captionsUrl', where: 'The captions' });
  }
  const isFixture = lesson.type === 'interactive_coding' && lesson.codingLanguage === 'css';
  const texts = [
    { field: 'content', text: isFixture ? '' : lesson.content },
    { field: 'instructions', text: lesson.instructions ?? '' },
    ...questions.map(({ explanation }) => ({ field: 'questions', text: explanation })),
    { field: 'scenario', text: typeof scenario?.description === 'string' ? scenario.description : '' },
  ];
  for (const { field, text } of texts) {
    for (const { address, line } of linksOf(text)) places.push({ address, field, where: `Line ${line}` });
  }
  const limit = pLimit(LINKS_AT_ONCE);
  const answers = new Map<string, ReturnType<typeof proveAddress>>();
  const findings = await Promise.all(
    places.slice(0, LINKS_MAX).map(async ({ address, field, where }) => {
      const known = answers.get(address) ?? limit(() => proveAddress(address, network));
      answers.set(address, known);
      const answer = await known;
      if (answer.kind === 'fine') return [];
      const severity = answer.kind === 'broken' ? 'error' : 'warning';
      const message = `${where}: ${address} ${answer.why}.`;
      return [finding(severity, field, message, { about: address })];
    }),
  );
  return { findings: findings.flat(), facts: { links: Math.min(places.length, LINKS_MAX) } };
}

async function proveAddress(
  address: string,
  network: LinkNetwork | undefined,
): Promise<Awaited<ReturnType<typeof checkLink>>> {
  if (/^https?:\/\//i.test(address)) return checkLink(address, network);
  if (/^\/\//.test(address)) return { kind: 'broken', why: 'must say https:// at its beginning' };
  const path = address.replace(/[?#].*$/s, '');
  if (/^\/(media|files)\//.test(path)) {
    const file = await findFile(path);
    if (!file) return { kind: 'broken', why: 'is no file of this site' };
    const size = await fileStore().size(file.sha256);
    return size === file.size
      ? { kind: 'fine' }
      : {
          kind: 'broken',
          why: size === null ? 'has lost its bytes: upload it again' : 'is incomplete: upload it again',
        };
  }
  // Other pages of this site, parts of this page and mail addresses are not asked.
  return { kind: 'fine' };
}
