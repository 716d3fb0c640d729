import { setImmediate as others } from 'node:timers/promises';
import { and, desc, eq, gte, ne, sql } from 'drizzle-orm';
import { Turns } from '#db/turns.ts';
import { db } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import { renderMarkdown } from '#src/server/markdown.ts';
import { AppError } from '#src/shared/errors.ts';
import { isBlank } from '#src/shared/is-blank.ts';
import { type Shape, shapeOf, unlikeness } from '../groups/program-shape.server.ts';
import { readableLesson, type SignedIn } from '../practice.server.ts';
import type { Comparison } from './schema.ts';
import { withoutComments } from './without-comments.server.ts';

/** Each program has to be parsed. */
const CONSIDERED_MAX = 500;
const PROGRAM_MAX = 10_000;
const CHARACTERS_MAX = 500_000;
const SHOWN_MAX = 10;

const oneAtATime = new Turns(1);
/** Others get their turn between two programs. */
const inTurn = <T>(read: () => T) =>
  oneAtATime.run(async () => {
    await others();
    return read();
  });

/**
 * What a passed lesson's program may be compared with (decision 123).
 * @throws {AppError} not_found; forbidden before it is passed
 */
export async function compare(user: SignedIn, lessonId: number): Promise<Comparison> {
  await readableLesson(lessonId, user);
  const [lesson] = await db()
    .select({
      id: lessons.id,
      solution: lessons.solution,
      notes: lessons.solutionNotes,
      language: lessons.codingLanguage,
      since: lessons.programsShownSince,
    })
    .from(lessons)
    .where(eq(lessons.id, lessonId));
  const [own] = await db()
    .select({ code: codeSubmissions.submittedCode, language: codeSubmissions.language })
    .from(codeSubmissions)
    .where(
      and(
        eq(codeSubmissions.userId, user.id),
        eq(codeSubmissions.lessonId, lessonId),
        eq(codeSubmissions.isCorrect, true),
      ),
    )
    .orderBy(desc(codeSubmissions.submittedAt), desc(codeSubmissions.id))
    .limit(1);
  if (!own || !lesson) {
    throw new AppError('forbidden', 'You can compare your program once it has passed.');
  }
  const { solution, notes, language, since } = lesson;
  return {
    own: own.code,
    solution: isBlank(solution)
      ? null
      : { code: solution!, notes: renderMarkdown(notes ?? '', { topHeading: 4 }) },
    others:
      since && language
        ? await othersOf(
            { id: lessonId, language, since },
            user.id,
            await inTurn(() => shapeOf(own.language, own.code)),
          )
        : null,
  };
}

interface ShownLesson {
  id: number;
  language: CodingLanguage;
  since: Date;
}

async function othersOf(lesson: ShownLesson, userId: number, own: Shape): Promise<Comparison['others']> {
  const groups = new Map<string, { code: string; learners: number; distance: number }>();
  let alike = 0;
  let left = CHARACTERS_MAX;
  for (const code of await programsOfOthers(lesson, userId)) {
    left -= code.length;
    if (left < 0) break;
    const { hash, tokens } = await inTurn(() => shapeOf(lesson.language, code));
    const known = groups.get(hash);
    if (hash === own.hash) alike += 1;
    else if (known) known.learners += 1;
    else if (tokens) {
      // What cannot be read may hide a comment, and those are where people put their names.
      const shown = await withoutComments(lesson.language, code);
      const distance = own.tokens ? unlikeness(own.tokens, tokens) : 1;
      if (shown !== null) groups.set(hash, { code: shown, learners: 1, distance });
    }
  }
  const sorted = [...groups.values()].sort((a, b) => b.distance - a.distance || b.learners - a.learners);
  return { alike, groups: sorted.slice(0, SHOWN_MAX).map(({ code, learners }) => ({ code, learners })) };
}

async function programsOfOthers({ id, language, since }: ShownLesson, userId: number): Promise<string[]> {
  // One of each learner before any are counted: who hands in often must not take the places of others.
  const newest = db()
    .selectDistinctOn([codeSubmissions.userId], {
      id: codeSubmissions.id,
      submittedAt: codeSubmissions.submittedAt,
    })
    .from(codeSubmissions)
    .innerJoin(users, eq(users.id, codeSubmissions.userId))
    .where(
      and(
        eq(codeSubmissions.lessonId, id),
        eq(codeSubmissions.isCorrect, true),
        eq(codeSubmissions.language, language),
        gte(codeSubmissions.submittedAt, since),
        ne(codeSubmissions.userId, userId),
        sql`length(${codeSubmissions.submittedCode}) <= ${PROGRAM_MAX}`,
        // Whoever makes courses has seen the solution.
        eq(users.role, 'student'),
        eq(users.hidesPrograms, false),
        isPerson(users.id),
      ),
    )
    .orderBy(codeSubmissions.userId, desc(codeSubmissions.submittedAt), desc(codeSubmissions.id))
    .as('newest');
  const rows = await db()
    .select({ code: codeSubmissions.submittedCode })
    .from(newest)
    .innerJoin(codeSubmissions, eq(codeSubmissions.id, newest.id))
    .orderBy(desc(newest.submittedAt), desc(newest.id))
    .limit(CONSIDERED_MAX);
  return rows.map(({ code }) => code);
}
