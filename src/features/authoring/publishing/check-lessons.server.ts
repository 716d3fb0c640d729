import pLimit from 'p-limit';
import { fileStore, findFile } from '#src/server/files/files.ts';
import { coding, type LessonType, missingOf, quiz, scenario } from '#src/features/lessons/registry.ts';
import { checkCoding } from '#src/features/lessons/types/coding/check.server.ts';
import { checkQuiz } from '#src/features/lessons/types/quiz/check.server.ts';
import { checkScenario } from '#src/features/lessons/types/scenario/check.server.ts';
import { finding, type CheckedLesson, type LessonCheck, type Proof } from './lesson-check.server.ts';
import { checkLink, type LinkNetwork, linksOf } from './check-links.server.ts';

/** Links of one lesson that are asked; a page with more is a list of links and no lesson. */
const LINKS_MAX = 60;
const LINKS_AT_ONCE = 6;

const CHECKS: Partial<Record<LessonType, LessonCheck>> = {
  [quiz.name]: checkQuiz,
  [coding.name]: checkCoding,
  [scenario.name]: checkScenario,
};

/**
 * Everything that the publish check has to say about a lesson. Writes nothing.
 *
 * @param lessonCount lessons that are checked in the same run
 * @throws {JudgeUnavailable} where the judge gave no verdict
 */
export async function proveLesson(
  found: CheckedLesson,
  { network, lessonCount = 1 }: { network?: LinkNetwork; lessonCount?: number } = {},
): Promise<Proof> {
  const { lesson, ...parts } = found;
  const own = await CHECKS[lesson.type]?.(found, { lessonCount });
  const missing = missingOf(lesson.type, { ...lesson, ...parts });
  const links = await proveAddresses(found, network);
  return {
    findings: [
      ...(own?.findings ?? []),
      ...missing.map(({ field, toPublish }) => finding('error', field, toPublish)),
      ...links.findings,
    ],
    facts: { ...own?.facts, ...links.facts },
  };
}

/** What the lesson links to: files of this site are looked up, everything else is asked. */
async function proveAddresses(
  { lesson, questions, scenario }: CheckedLesson,
  network: LinkNetwork | undefined,
): Promise<Proof> {
  const places: { address: string; field: string; where: string }[] = [];
  if (lesson.fileUrl) places.push({ address: lesson.fileUrl, field: 'fileUrl', where: 'The file' });
  if (lesson.captionsUrl) {
    places.push({ address: lesson.captionsUrl, field: 'captionsUrl', where: 'The captions' });
  }
  const isFixture = lesson.codingLanguage === 'css';
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
  if (/^\/(media|files|pictures)\//.test(path)) {
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
