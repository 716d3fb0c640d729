import { asc, eq } from 'drizzle-orm';
import type { Executor } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
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
  return { codeSubmissions: submissions };
}

/** The programs that a person handed in. */
export const practiceData: PersonalDataPart = { rows };
