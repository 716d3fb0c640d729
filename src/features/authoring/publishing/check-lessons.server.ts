import { hasFixture } from '#src/features/lessons/types/coding/languages.ts';
import type { OutsideNetwork } from '#src/server/http/outside.ts';
import { isIP } from 'node:net';
import { and, eq } from 'drizzle-orm';
import { Turns } from '#db/turns.ts';
import { db } from '#db/client.ts';
import { lessons, pictures } from '#db/schema/catalogue.ts';
import { embedOf } from '#src/features/lessons/types/video/embed.ts';
import { ownAddress } from '#src/server/http/own-address.ts';
import { env } from '#src/server/start/env.ts';
import { counted } from '#src/shared/counted.ts';
import { pictureOf } from '#src/shared/pictures.ts';
import { cutText, readContainer, VideoError } from '#src/features/authoring/media/video-container.server.ts';
import { WATCHED_PERCENT } from '#src/features/lessons/types/video/watching.ts';
import { namesFile } from '#src/features/lessons/lesson-store.server.ts';
import { findStoredVideo } from '#src/features/lessons/videos.server.ts';
import { learnedId } from '#src/features/lessons/working-copy.server.ts';
import { fileStore, findFile, type StoredFile } from '#src/server/files/files.ts';
import {
  coding,
  type FileColumn,
  type LessonType,
  lessonType,
  missingOf,
  quiz,
  scenario,
} from '#src/features/lessons/registry.ts';
import { checkCoding } from '#src/features/lessons/types/coding/check.server.ts';
import { checkQuiz } from '#src/features/lessons/types/quiz/check.server.ts';
import { markdownOf } from '#src/features/lessons/types/quiz/question.ts';
import { checkScenario } from '#src/features/lessons/types/scenario/check.server.ts';
import {
  finding,
  type CheckedLesson,
  type CheckRun,
  type LessonCheck,
  type Proof,
} from './lesson-check.server.ts';
import { isAdminPage, proveOwnPage } from './own-pages.server.ts';
import { checkLink, type Expected, type LinkAnswer, linksOf } from './check-links.server.ts';

const LINKS_AT_ONCE = 6;
/** Milliseconds for a lesson's addresses; a job has a minute. */
const LINKS_MS = 30_000;

const CHECKS: Partial<Record<LessonType, LessonCheck>> = {
  [quiz.name]: checkQuiz,
  [coding.name]: checkCoding,
  [scenario.name]: checkScenario,
};

export interface Surroundings {
  network?: OutsideNetwork;
  inFolder?: (address: string) => { mimeType: string } | null;
  linksMs?: number;
}

/**
 * All findings of a lesson; writes nothing.
 * @throws {JudgeUnavailable}
 */
export async function proveLesson(
  found: CheckedLesson,
  { lessonCount = 1, busyMs, ...surroundings }: Surroundings & Partial<CheckRun> = {},
): Promise<Proof> {
  const { lesson, ...parts } = found;
  const own = await CHECKS[lesson.type]?.(found, {
    lessonCount,
    ...(busyMs === undefined ? {} : { busyMs }),
  });
  const missing = missingOf(lesson.type, { ...lesson, ...parts });
  const links = await proveAddresses(found, surroundings);
  return {
    findings: [
      ...(own?.findings ?? []),
      ...missing.map(({ field, toPublish }) => finding('error', field, toPublish)),
      ...links.findings,
    ],
    facts: { ...own?.facts, ...links.facts },
    wrongPrograms: own?.wrongPrograms ?? [],
  };
}

/** An address that a lesson's page loads or links to. */
export interface Place {
  address: string;
  field: string;
  where: string;
  expected: Expected;
}

/** In the order of the form. */
export function placesOf({ lesson, questions, scenario }: CheckedLesson): Place[] {
  const places: Place[] = [];
  const { files, moreFiles } = lessonType(lesson.type);
  for (const [column, { where, expects }] of Object.entries(files)) {
    const address = lesson[column as FileColumn];
    if (!address) continue;
    // Another site's player is a page.
    const expected = expects === 'video' && embedOf(address) ? 'link' : expects;
    places.push({
      address,
      field: column,
      where: typeof where === 'string' ? where : where(lesson),
      expected,
    });
  }
  for (const { expects: expected, ...file } of moreFiles?.(lesson) ?? []) places.push({ ...file, expected });
  const resources = Array.isArray(scenario?.resources) ? (scenario.resources as { text?: unknown }[]) : [];
  const texts = [
    { field: 'content', text: hasFixture(lesson.codingLanguage) ? '' : lesson.content },
    { field: 'instructions', text: lesson.instructions ?? '' },
    ...lesson.hints.map((text) => ({ field: 'hints', text })),
    { field: 'solutionNotes', text: lesson.solutionNotes ?? '' },
    ...questions.flatMap((question) => markdownOf(question).map((text) => ({ field: 'questions', text }))),
    { field: 'scenario', text: scenario?.description },
    ...resources.map(({ text }) => ({ field: 'scenario', text })),
  ];
  for (const { field, text } of texts) {
    if (typeof text === 'string') places.push(...textPlaces(field, text));
  }
  return places;
}

export const textPlaces = (field: string, text: string): Place[] =>
  linksOf(text).map(({ address, line, isPicture }) => ({
    ...{ address, field, where: `Line ${line}`, expected: isPicture ? 'picture' : 'link' },
  }));

async function proveAddresses(found: CheckedLesson, surroundings: Surroundings): Promise<Proof> {
  return provePlaces(placesOf(found), found.lesson.courseId, surroundings, found.lesson);
}

/**
 * Requests each address once; names those for which the time was too short.
 * @param lesson whose video's length is compared
 */
export async function provePlaces(
  places: readonly Place[],
  courseId: number,
  { linksMs = LINKS_MS, ...surroundings }: Surroundings = {},
  lesson?: CheckedLesson['lesson'],
): Promise<Proof> {
  const limit = new Turns(LINKS_AT_ONCE);
  const end = performance.now() + linksMs;
  const answers = new Map<string, Promise<LinkAnswer | null>>();
  const unasked: Place[] = [];
  const findings = await Promise.all(
    places.map(async (place) => {
      const { address, expected } = place;
      const key = `${expected} ${address}`;
      let known = answers.get(key);
      if (!known) {
        known = limit.run(async () => {
          if (performance.now() < end) return proveAddress(address, expected, courseId, surroundings);
          unasked.push(place);
          return null;
        });
        answers.set(key, known);
      }
      const answer = await known;
      if (!answer) return [];
      if (answer.kind !== 'fine') return [linkFinding(place, answer)];
      return answer.seconds === undefined || !lesson ? [] : lengthFindings(lesson, answer.seconds);
    }),
  );
  const [first] = unasked;
  const late = first
    ? [
        finding(
          'error',
          first.field,
          `${first.where}: ${counted(unasked.length, 'address was', 'addresses were')} not asked, from ${first.address} on: the others took too long to answer. Check the course again, or name fewer.`,
          { about: 'unasked addresses' },
        ),
      ]
    : [];
  return { findings: [...findings.flat(), ...late], facts: { links: answers.size - unasked.length } };
}

export function linkFinding({ address, field, where }: Place, answer: Exclude<LinkAnswer, { kind: 'fine' }>) {
  const severity = answer.kind === 'broken' ? 'error' : 'warning';
  return finding(severity, field, `${where}: ${address} ${answer.why}.`, { about: address });
}

/** As a browser resolves it in the classroom. */
function resolveAddress(address: string, courseId: number): URL | null {
  const base = new URL(`/learn/${courseId}`, env().siteUrl);
  return URL.canParse(address, base) ? new URL(address, base) : null;
}

export function isForeign(address: string, courseId: number): boolean {
  const url = resolveAddress(address, courseId);
  return /^https?:$/.test(url?.protocol ?? '') && url!.origin !== new URL(env().siteUrl).origin;
}

export async function proveAddress(
  address: string,
  expected: Expected,
  courseId: number,
  { network, inFolder }: Surroundings,
): Promise<LinkAnswer> {
  if (/^\/\//.test(address)) return { kind: 'broken', why: 'must say https:// at its beginning' };
  const ownFile = inFolder?.(address);
  if (ownFile) return isOfKind(expected, ownFile.mimeType);
  const isWeb = /^https?:/i.test(address);
  if (!isWeb && (/^[a-z][a-z0-9+.-]*:/i.test(address) || address.startsWith('#'))) {
    // Mail addresses and parts of this page.
    return expected === 'link' ? { kind: 'fine' } : { kind: 'broken', why: 'must be an https:// address' };
  }
  const url = resolveAddress(address, courseId);
  if (!url) return { kind: 'broken', why: 'is not an address' };
  if (isForeign(address, courseId)) {
    if (expected !== 'link' && url.protocol === 'http:') {
      return { kind: 'broken', why: 'must begin with https://: browsers load nothing else on this page' };
    }
    return checkLink(url.href, network, expected);
  }
  if (/^\/(media|files|pictures)\//.test(url.pathname)) return proveStored(url.pathname, expected, courseId);
  if (expected === 'link') {
    if (isAdminPage(url.pathname)) {
      return { kind: 'broken', why: 'is for those who run the site: learners cannot open it' };
    }
    // A folder has no ids yet, and no database.
    const decided = inFolder ? null : await proveOwnPage(url, courseId);
    if (decided) return decided;
  }
  return provePage(url, expected);
}

async function proveStored(path: string, expected: Expected, courseId: number): Promise<LinkAnswer> {
  const file = await findFile(path);
  if (!file) return { kind: 'broken', why: 'is no file of this site' };
  const lost = await lossOf(file);
  if (lost) return { kind: 'broken', why: lost };
  if (!(await isOfCourse(path, courseId))) {
    const why = pictureOf(path)
      ? 'belongs to another course, whose learners alone may load it: add it to this one'
      : 'is the file of no lesson of this course, so that its learners may not load it';
    return { kind: 'broken', why };
  }
  return expected === 'video' ? proveVideo(file) : isOfKind(expected, file.mimeType);
}

async function lossOf({ sha256, size }: StoredFile): Promise<string> {
  const kept = await fileStore().size(sha256);
  return kept === null
    ? 'has lost its bytes: upload it again'
    : kept === size
      ? ''
      : 'is incomplete: upload it again';
}

async function proveVideo(uploaded: StoredFile): Promise<LinkAnswer> {
  const broken = (why: string): LinkAnswer => ({ kind: 'broken', why });
  const stored = await findStoredVideo(uploaded.path);
  if (stored?.files.length === 0) return broken('is not converted into what browsers play: upload it again');
  const paths = stored?.files.map(({ src }) => src) ?? [uploaded.path];
  let seconds = Number.POSITIVE_INFINITY;
  for (const path of paths) {
    const file = path === uploaded.path ? uploaded : await findFile(path);
    if (!file) return broken('has lost one of its sizes: upload it again');
    const lost = await lossOf(file);
    if (lost) return broken(lost);
    const ofKind = isOfKind('video', file.mimeType);
    if (ofKind.kind !== 'fine') return ofKind;
    try {
      const { sha256, size } = file;
      const container = await readContainer({ size, read: (range) => fileStore().read(sha256, range) });
      const cut = cutText(container);
      if (cut) return broken(`${cut}. Upload it again`);
      seconds = Math.min(seconds, container.there);
    } catch (error) {
      if (!(error instanceof VideoError)) throw error;
      return broken('holds no video that can be read: upload it again');
    }
  }
  return { kind: 'fine', seconds };
}

function lengthFindings({ watchRequired, durationSeconds }: CheckedLesson['lesson'], seconds: number) {
  if (!watchRequired || !durationSeconds) return [];
  const lasts = `The video lasts ${Math.round(seconds)} s and not ${durationSeconds} s`;
  const share = WATCHED_PERCENT / 100;
  if (seconds < durationSeconds * share) {
    const why = `nobody can watch ${WATCHED_PERCENT}% of it and complete the lesson`;
    return [finding('error', 'durationSeconds', `${lasts}, so that ${why}.`)];
  }
  if (durationSeconds >= seconds * share) return [];
  return [finding('warning', 'durationSeconds', `${lasts}, so that the lesson is completed before its end.`)];
}

async function isOfCourse(path: string, courseId: number): Promise<boolean> {
  if (path.startsWith('/media/')) return true;
  const picture = pictureOf(path);
  if (picture) {
    return (
      (await db().$count(
        pictures,
        and(eq(pictures.path, picture), eq(pictures.courseId, learnedId(courseId))),
      )) > 0
    );
  }
  const [whole] = /^\/files\/[^/]+\/[^/]+/.exec(path) ?? [path];
  return (await db().$count(lessons, and(eq(lessons.courseId, courseId), namesFile(whole)))) > 0;
}

function isOfKind(expected: Expected, mimeType: string): LinkAnswer {
  const family = { link: '', file: '', picture: 'image/', video: 'video/', captions: 'text/vtt' }[expected];
  if (mimeType.startsWith(family)) return { kind: 'fine' };
  const wanted = expected === 'captions' ? 'WebVTT file' : expected;
  return { kind: 'broken', why: `is ${mimeType}, not a ${wanted}` };
}

/** A page of this site, from this process: from here the site's name may lead elsewhere. */
async function provePage(url: URL, expected: Expected): Promise<LinkAnswer> {
  const own = ownAddress();
  if (!own) {
    return expected === 'link'
      ? { kind: 'fine' }
      : { kind: 'unsure', why: 'could not be asked for from here' };
  }
  const here = new URL(`${url.pathname}${url.search}`, `http://site.invalid:${own.port}`);
  const answer = await checkLink(
    here.href,
    {
      resolve: async () => [{ address: own.address, family: isIP(own.address) || 4 }],
      isAllowed: (_address, port) => port === own.port,
    },
    expected,
  );
  // Pages behind a sign-in exist.
  return expected === 'link' && answer.kind === 'unsure' ? { kind: 'fine' } : answer;
}
