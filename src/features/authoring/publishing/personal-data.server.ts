import { eq } from 'drizzle-orm';
import { findingOverrides, publishRuns } from '#db/schema/catalogue.ts';
import { deletedName } from '#src/features/account/personal-data.server.ts';
import { erasePortrait } from '#src/features/authoring/instructors/instructors.server.ts';
import type { PersonalDataPart } from '#src/server/personal-data.ts';

/**
 * The name of an author at publish checks, and the file of the portrait; what the pages of their courses say of them is
 * part of the account, and all else that authors do stands in the audit log.
 */
export const publishingData: PersonalDataPart = {
  rows: async () => ({}),
  erase: async (tx, person) => {
    const { id } = person;
    const name = deletedName(person);
    await tx.update(publishRuns).set({ startedByName: name }).where(eq(publishRuns.startedBy, id));
    await tx.update(findingOverrides).set({ userName: name }).where(eq(findingOverrides.userId, id));
    await erasePortrait(tx, id);
  },
};
