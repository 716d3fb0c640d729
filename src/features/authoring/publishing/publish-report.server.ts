import { and, asc, desc, eq, isNull } from 'drizzle-orm';
import { db } from '#db/client.ts';
import {
  courses,
  type PublishFinding,
  publishChecks,
  findingOverrides,
  publishRuns,
  lessons,
} from '#db/schema/catalogue.ts';
import { findWorkingCourse, shownId } from '#src/features/lessons/working-copy.server.ts';
import { openingHints } from '#src/features/lessons/opening.ts';
import { pick } from '#src/shared/pick.ts';
import { finding } from './lesson-check.server.ts';
import { AppError } from '#src/shared/errors.ts';
import { mayLetPass } from './finding-overrides.server.ts';
import { deadLinksOf } from './dead-links.server.ts';
import {
  type CheckedLessonReport,
  type FindingOverride,
  type PublishReport,
  obstacleOf,
  openFindings,
  type ShownFinding,
} from './publish-check.ts';

const LAPSED_SHOWN = 5;

/**
 * A course before the publish check, as it is worked on.
 * @throws {AppError} not_found
 */
export async function publishReport(courseId: number): Promise<PublishReport> {
  const report = await findPublishReport(courseId);
  if (!report) throw new AppError('not_found', 'Course not found');
  return report;
}

/** `publishReport`, or null without such a course. */
export async function findPublishReport(
  courseId: number,
): Promise<(PublishReport & { title: string }) | null> {
  const working = await findWorkingCourse(courseId, db());
  if (!working) return null;
  const [[course], rows, [run], overrides, dead] = await Promise.all([
    db()
      .select({
        title: courses.title,
        isActive: courses.isActive,
        activateWhenProven: courses.activateWhenProven,
      })
      .from(courses)
      .where(eq(courses.id, courseId)),
    db()
      .select({
        id: lessons.id,
        draftOf: lessons.draftOf,
        title: lessons.title,
        type: lessons.type,
        section: lessons.section,
        opening: lessons.opening,
        requiredToComplete: lessons.requiredToComplete,
        isPreview: lessons.isPreview,
        revision: lessons.revision,
        provenRevision: lessons.provenRevision,
      })
      .from(lessons)
      .where(eq(lessons.courseId, working.id))
      .orderBy(asc(lessons.order), asc(lessons.id)),
    db()
      .select()
      .from(publishRuns)
      .where(eq(publishRuns.courseId, working.id))
      .orderBy(desc(publishRuns.id))
      .limit(1),
    db()
      .select({ override: findingOverrides })
      .from(findingOverrides)
      .innerJoin(lessons, eq(lessons.id, findingOverrides.lessonId))
      .where(and(eq(lessons.courseId, working.id), isNull(findingOverrides.withdrawnAt)))
      .orderBy(desc(findingOverrides.id)),
    deadLinksOf(courseId),
  ]);
  if (!course) return null;
  const checks = run ? await db().select().from(publishChecks).where(eq(publishChecks.runId, run.id)) : [];
  const checkOf = new Map(checks.map((check) => [check.lessonId, check]));
  const overridesOf = Map.groupBy(overrides, ({ override }) => override.lessonId);
  const isRunning = run?.status === 'running';

  const openings = rows.map((row) => ({ ...row, id: shownId(row) }));
  const reports = rows.map((row, at): CheckedLessonReport => {
    const { revision, provenRevision, draftOf } = row;
    const lesson = pick(row, ['id', 'title', 'type', 'section']);
    const check = checkOf.get(lesson.id);
    const own = (overridesOf.get(lesson.id) ?? []).map(({ override }) => override);
    const current = new Map(
      own.filter((one) => one.revision === revision).map((one) => [one.findingKey, one]),
    );
    const isCurrent = check?.status === 'done' && check.revision === revision;
    const findings = isCurrent ? check.findings.map((one) => shownFinding(one, current.get(one.key))) : [];
    const open = isRunning && check && check.status !== 'done' ? check.status : null;
    const id = shownId({ id: lesson.id, draftOf });
    return {
      ...lesson,
      id,
      state:
        open ??
        (provenRevision === revision
          ? 'proven'
          : isCurrent && openFindings(findings, 'error').length > 0
            ? 'failed'
            : provenRevision !== null || check?.status === 'done'
              ? 'changed'
              : 'unchecked'),
      // Findings that depend on other lessons are computed at each request.
      findings: [
        ...findings,
        ...openingHints(openings, openings[at]!).map((message) =>
          shownFinding(finding('warning', 'opening', message), undefined),
        ),
      ],
      deadLinks: dead
        .filter(({ lessonId, key }) => lessonId === id && !findings.some((one) => one.key === key))
        .map(({ key, field, message, since }) => ({ key, field, message, since })),
      lapsed: own
        .filter((one) => !current.has(one.findingKey))
        .slice(0, LAPSED_SHOWN)
        .map(shownOverride),
      facts: isCurrent ? check.facts : {},
      checkedAt: check?.finishedAt?.toISOString() ?? null,
    };
  });
  const obstacle = obstacleOf({
    lessons: rows.length,
    unproven: rows.filter((row) => row.revision !== row.provenRevision).length,
  });
  return {
    courseId,
    title: course.title,
    isActive: course.isActive,
    activateWhenProven: course.activateWhenProven,
    ready: obstacle === '',
    obstacle,
    mayLetPass: mayLetPass(),
    run: run
      ? {
          id: run.id,
          status: run.status,
          isPublishing: run.publishes !== null,
          outcome: run.outcome,
          startedBy: run.startedByName,
          startedAt: run.startedAt.toISOString(),
          finishedAt: run.finishedAt?.toISOString() ?? null,
          done: checks.filter(({ status }) => status === 'done').length,
          total: checks.length,
        }
      : null,
    findings: (run?.findings ?? []).map((one) => shownFinding(one, undefined)),
    lessons: reports,
  };
}

type OverrideRow = typeof findingOverrides.$inferSelect;

function shownOverride({ message, reason, userName, createdAt }: OverrideRow): FindingOverride {
  return { message, reason, by: userName, at: createdAt.toISOString() };
}

function shownFinding(
  { key, severity, field, message, mutation }: PublishFinding,
  override: OverrideRow | undefined,
): ShownFinding {
  return {
    key,
    severity,
    field,
    message,
    mutation: mutation ?? null,
    override: override ? shownOverride(override) : null,
  };
}
