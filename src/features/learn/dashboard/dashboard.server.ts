import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { closedLesson, givesAccess } from '#src/features/catalogue/access.server.ts';
import { db } from '#db/client.ts';
import { jsonArray, jsonFields, jsonTime, preparedJson } from '#db/json.ts';
import { users } from '#db/schema/account.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import {
  certificates,
  courseNews,
  enrollments,
  lessonProgress,
  pointsLedger,
  studyDays,
} from '#db/schema/learn.ts';
import { lessonQuestions } from '#db/schema/questions.ts';
import {
  firstStreakDay,
  STREAK_DAYS,
  type StudyDay,
  studyRecordOf,
} from '#src/features/learn/progress/activity.ts';
import { asksForAdmin } from '#src/features/account/roles.server.ts';
import { certificateState } from '#src/features/learn/certificates/certificates.ts';
import { dueAt } from '#src/features/learn/assignments/due.server.ts';
import type { CourseChange } from '#src/features/learn/progress/learn.ts';
import { findBought } from '#src/features/store/guests/purchase-page.server.ts';
import { shownDate } from '#src/shared/dates.ts';
import { parseCount } from '#src/shared/list-query.ts';
import { countedQueue, dueFields, type DueRow } from '#src/features/review/due/due.server.ts';
import { pointsLevel } from '#src/features/learn/progress/points.ts';
import type { EnrollmentModel } from '#src/features/learn/schema.ts';
import {
  changedSince,
  enrollmentRows,
  isCompleted,
  isExcused,
} from '#src/features/learn/progress/enrollments.server.ts';
import {
  type Step,
  courseIdToContinue,
  nextStep,
  stepsOf,
} from '#src/features/learn/progress/next-step.server.ts';

/** Days for which a change is news. */
const NEWS_DAYS = 14;
const CHANGES_SHOWN = 4;

/** SQL: changes in the courses of the placeholder `userId`, newest first. */
function changesForLearner(): SQL {
  const fields = (
    kind: CourseChange['kind'],
    { id, lessonId, title, at }: Record<'id' | 'lessonId' | 'title' | 'at', SQLWrapper>,
  ) => sql`
    ${sql.raw(`'${kind}'`)} as kind, ${id} as id, ${lessonId} as "lessonId", ${title} as title,
    ${courses.id} as "courseId", ${courses.title} as "courseTitle", ${at} as at`;
  const isNews = (at: SQLWrapper) =>
    sql`${at} > now() - make_interval(days => ${sql.raw(String(NEWS_DAYS))})`;
  const ofLesson = { lessonId: lessons.id, title: lessons.title };
  return sql`(
    select coalesce(json_agg(change order by change.at desc), '[]') from (
      select * from (
        select ${fields('news', { id: courseNews.id, lessonId: sql`null::int`, title: courseNews.title, at: courseNews.sentAt })}
        from ${courseNews}
        inner join ${courses} on ${courses.id} = ${courseNews.courseId}
        inner join ${enrollments} on ${givesAccess(sql.placeholder('userId'), courseNews.courseId)}
        where ${isNews(courseNews.sentAt)}
          and ${courseNews.sentAt} >= ${enrollments.enrolledAt}
        union all
        select ${fields('lesson', { ...ofLesson, id: lessons.id, at: lessons.changedAt })}
        from ${lessonProgress}
        inner join ${lessons} on ${lessons.id} = ${lessonProgress.lessonId}
        inner join ${courses} on ${courses.id} = ${lessons.courseId}
        inner join ${enrollments} on ${givesAccess(sql.placeholder('userId'), lessons.courseId)}
        where ${lessonProgress.userId} = ${sql.placeholder('userId')} and ${changedSince} is not null
        union all
        select ${fields('answer', { ...ofLesson, id: lessonQuestions.id, at: lessonQuestions.answeredAt })}
        from ${lessonQuestions}
        inner join ${lessons} on ${lessons.id} = ${lessonQuestions.lessonId}
        inner join ${courses} on ${courses.id} = ${lessons.courseId}
        inner join ${enrollments} on ${givesAccess(sql.placeholder('userId'), lessons.courseId)}
        where ${lessonQuestions.userId} = ${sql.placeholder('userId')} and ${lessonQuestions.hiddenAt} is null
          and ${isNews(lessonQuestions.answeredAt)}
      ) as every
      order by at desc limit ${sql.raw(String(CHANGES_SHOWN))}
    ) as change)`;
}

const dashboardOfLearner = preparedJson<
  DueRow & {
    owned: EnrollmentModel[];
    steps: Step[];
    days: StudyDay[];
    certificates: OwnCertificate[];
    weeklyGoal: number | null;
    points: number;
    changes: CourseChange[];
    deadlines: { id: number; courseId: number; title: string; at: string }[];
    asksForAdmin: boolean;
  }
>(
  'dashboard_of_learner',
  sql`select ${jsonFields({
    owned: jsonArray(enrollmentRows()),
    steps: stepsOf(courseIdToContinue),
    days: jsonArray(sql`
      select ${jsonFields({
        day: studyDays.day,
        seconds: studyDays.seconds,
        lessonsCompleted: studyDays.lessonsCompleted,
      })}
      from ${studyDays}
      where ${studyDays.userId} = ${sql.placeholder('userId')} and ${studyDays.day} >= ${sql.placeholder('since')}
      order by ${studyDays.day} desc limit ${sql.raw(String(STREAK_DAYS))}`),
    certificates: jsonArray(sql`
      select ${jsonFields({
        number: certificates.certificateNumber,
        courseTitle: certificates.courseTitle,
        issuedAt: jsonTime(certificates.issuedAt),
        validUntil: jsonTime(certificates.validUntil),
        revokedAt: jsonTime(certificates.revokedAt),
      })}
      from ${certificates}
      where ${certificates.userId} = ${sql.placeholder('userId')}
      order by ${certificates.issuedAt} desc, ${certificates.id} desc`),
    weeklyGoal: sql`(select ${users.weeklyGoal} from ${users} where ${users.id} = ${sql.placeholder('userId')})`,
    points: sql`(
      select coalesce(sum(${pointsLedger.points}), 0)::int from ${pointsLedger}
      where ${pointsLedger.userId} = ${sql.placeholder('userId')})`,
    changes: changesForLearner(),
    ...dueFields,
    asksForAdmin: asksForAdmin(sql.placeholder('userId')),
    deadlines: jsonArray(sql`
      select ${jsonFields({ id: lessons.id, courseId: lessons.courseId, title: lessons.title, at: dueAt })}
      from ${enrollments}
      -- The planner expects due dates everywhere, and would read every lesson.
      cross join lateral (
        select * from ${lessons} where ${lessons.courseId} = ${enrollments.courseId} offset 0) ${lessons}
      left join ${lessonProgress}
        on ${lessonProgress.lessonId} = ${lessons.id} and ${lessonProgress.userId} = ${enrollments.userId}
      where ${givesAccess(sql.placeholder('userId'), enrollments.courseId)}
        and ${dueAt} is not null and not ${isCompleted} and not ${isExcused} and ${closedLesson} is null
        and not exists (select from assignments a where a.user_id = ${enrollments.userId} and a.lesson_id = ${lessons.id})
      order by at, ${lessons.id} limit ${sql.raw(String(CHANGES_SHOWN))}`),
  })}`,
);

export async function setWeeklyGoal(userId: number, days: number): Promise<{ days: number }> {
  await db().update(users).set({ weeklyGoal: days }).where(eq(users.id, userId));
  return { days };
}

/** Dates are ISO text. */
interface OwnCertificate {
  number: string;
  courseTitle: string;
  issuedAt: string;
  validUntil: string | null;
  revokedAt: string | null;
}

/**
 * Spec 2; includes certificates of courses whose access ended.
 * @param order as in the address; the one just paid
 */
export async function readDashboard(userId: number, now = new Date(), order: string | null = null) {
  const [[row], bought] = await Promise.all([
    dashboardOfLearner({ userId, since: firstStreakDay(now) }),
    findBought(userId, parseCount(order)),
  ]);
  const { owned, steps, days } = row!;
  const moment = (iso: string | null) => (iso === null ? null : new Date(iso));
  return {
    enrollments: owned,
    next: nextStep(owned, steps),
    record: studyRecordOf(days, now),
    certificates: row!.certificates.map((one) => {
      const ends = { validUntil: moment(one.validUntil), revokedAt: moment(one.revokedAt) };
      return { ...one, ...ends, issuedAt: new Date(one.issuedAt), state: certificateState(ends, now) };
    }),
    weeklyGoal: row!.weeklyGoal ?? 3,
    points: pointsLevel(row!.points),
    changes: row!.changes,
    due: row!.deadlines.map(({ id, courseId, title, at }) => ({
      text: `“${title}” is due ${shownDate(at)}`,
      href: `/learn/${courseId}?lesson=${id}`,
    })),
    reviews: countedQueue(row!),
    asksForAdmin: row!.asksForAdmin,
    bought,
  };
}
