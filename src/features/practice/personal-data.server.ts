import { asc, eq } from 'drizzle-orm';
import type { Executor } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { codeSubmissions, groupHintOffers, mistakeGroups } from '#db/schema/practice.ts';
import type { Person, PersonalDataPart } from '#src/server/personal-data.ts';

async function rows(tx: Executor, { id: userId }: Person) {
  const submissions = await tx
    .select({
      lesson: lessons.title,
      language: codeSubmissions.language,
      code: codeSubmissions.submittedCode,
      output: codeSubmissions.output,
      verdict: codeSubmissions.verdict,
      attempt: codeSubmissions.attempts,
      seconds: codeSubmissions.timeSpent,
      hintsUsed: codeSubmissions.hintsUsed,
      submittedAt: codeSubmissions.submittedAt,
    })
    .from(codeSubmissions)
    .innerJoin(lessons, eq(lessons.id, codeSubmissions.lessonId))
    .where(eq(codeSubmissions.userId, userId))
    .orderBy(asc(codeSubmissions.id));
  const hints = await tx
    .select({
      lesson: lessons.title,
      hint: mistakeGroups.hint,
      afterAttempt: groupHintOffers.attempt,
      offeredAt: groupHintOffers.offeredAt,
      shownAt: groupHintOffers.shownAt,
    })
    .from(groupHintOffers)
    .innerJoin(mistakeGroups, eq(mistakeGroups.id, groupHintOffers.groupId))
    .innerJoin(lessons, eq(lessons.id, mistakeGroups.lessonId))
    .where(eq(groupHintOffers.userId, userId))
    .orderBy(asc(groupHintOffers.offeredAt), asc(mistakeGroups.id));
  const [choice] = await tx
    .select({ hidesPrograms: users.hidesPrograms })
    .from(users)
    .where(eq(users.id, userId));
  return { codeSubmissions: submissions, hintsFromOthers: hints, ...choice };
}

export const practiceData: PersonalDataPart = { rows };
