import { and, eq, exists, or, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import { storeFile } from '#db/stored-files.ts';
import { recordAudit } from '#src/features/account/audit.server.ts';
import { squarePicture } from '#src/features/authoring/media/pictures.server.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import { PORTRAIT_PIXELS } from '#src/features/catalogue/course-page/instructor.ts';
import { fileStore, forgetBytes } from '#src/server/files/files.ts';
import { withUpload } from '#src/server/files/uploads.ts';
import { sendJob } from '#src/server/jobs.ts';
import { AppError } from '#src/shared/errors.ts';
import { type InstructorModel, PORTRAIT_MAX_BYTES } from './schema.ts';

interface Editor {
  id: number;
  username: string;
  role: 'student' | 'admin';
}

const columns = { words: users.instructorWords, portrait: users.instructorPortrait };

const makesCourses = or(
  eq(users.role, 'admin'),
  exists(db().select({ one: sql`1` }).from(courses).where(eq(courses.createdBy, users.id))),
);

/** Null for people without courses. */
export async function instructorOf(userId: number): Promise<InstructorModel | null> {
  const [row] = await db()
    .select(columns)
    .from(users)
    .where(and(eq(users.id, userId), isPerson(users.id), makesCourses));
  return row ?? null;
}

/**
 * Instructors edit themselves, administrators anybody.
 * @throws {AppError} not_found; forbidden for one's own without courses
 */
async function checkEditor(editor: Editor, userId: number): Promise<void> {
  if (editor.role !== 'admin' && editor.id !== userId) throw noInstructor();
  if (await instructorOf(userId)) return;
  if (editor.id !== userId) throw noInstructor();
  throw new AppError('forbidden', 'Only those who make courses are shown as instructors.');
}

const noInstructor = () => new AppError('not_found', 'There is no such instructor.');

async function auditChange(tx: Tx, editor: Editor, userId: number, what: string): Promise<void> {
  if (editor.id === userId) return;
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  await recordAudit(
    tx,
    { id: editor.id, name: editor.username },
    {
      action: 'user.instructor_changed',
      subjectType: 'user',
      subjectId: userId,
      details: { email: user?.email ?? '', what },
    },
  );
}

/** @throws {AppError} as `checkEditor` */
export async function saveInstructor(
  editor: Editor,
  userId: number,
  { words }: { words: string },
): Promise<InstructorModel> {
  await checkEditor(editor, userId);
  return db().transaction(async (tx) => {
    const [row] = await tx
      .update(users)
      .set({ instructorWords: words })
      .where(eq(users.id, userId))
      .returning(columns);
    if (!row) throw noInstructor();
    await auditChange(tx, editor, userId, 'words');
    return row;
  });
}

/**
 * Replaces a portrait by an uploaded picture, cut to a small square.
 * @throws {AppError} as `checkEditor` and `checkPicture`; invalid_input without a file
 */
export async function receivePortrait(
  editor: Editor,
  userId: number,
  request: Request,
): Promise<InstructorModel> {
  await checkEditor(editor, userId);
  return withUpload(request, { maxBytes: PORTRAIT_MAX_BYTES }, async ({ file }) => {
    if (!file)
      throw new AppError('invalid_input', 'Choose a picture', { fields: { file: 'Choose a picture' } });
    const bytes = await squarePicture(file, PORTRAIT_PIXELS);
    // Before the transaction: an object store may be slow.
    const kept = await storeFile(db(), fileStore(), {
      area: 'media',
      originalName: 'portrait.webp',
      mimeType: 'image/webp',
      bytes,
    });
    try {
      return await db().transaction((tx) => setPortrait(tx, editor, userId, kept.path));
    } catch (error) {
      await db().transaction((tx) => forgetPortrait(tx, kept.path));
      throw error;
    }
  });
}

/** @throws {AppError} as `checkEditor` */
export async function removePortrait(editor: Editor, userId: number): Promise<InstructorModel> {
  await checkEditor(editor, userId);
  return db().transaction((tx) => setPortrait(tx, editor, userId, null));
}

async function setPortrait(
  tx: Tx,
  editor: Editor,
  userId: number,
  path: string | null,
): Promise<InstructorModel> {
  const [before] = await tx.select(columns).from(users).where(eq(users.id, userId)).for('update');
  if (!before) throw noInstructor();
  if (before.portrait === path) return before;
  const [after] = await tx
    .update(users)
    .set({ instructorPortrait: path })
    .where(eq(users.id, userId))
    .returning(columns);
  await forgetPortrait(tx, before.portrait);
  await auditChange(tx, editor, userId, 'portrait');
  return after!;
}

async function forgetPortrait(tx: Tx, path: string | null): Promise<void> {
  if (!path) return;
  const gone = await tx
    .delete(storedFiles)
    .where(eq(storedFiles.path, path))
    .returning({ sha256: storedFiles.sha256 });
  for (const { sha256 } of gone) await sendJob(tx, forgetBytes, { sha256 });
}

/** Deletes a deleted account's portrait; the rest goes with its row. */
export async function erasePortrait(tx: Tx, userId: number): Promise<void> {
  const [row] = await tx.select(columns).from(users).where(eq(users.id, userId));
  await forgetPortrait(tx, row?.portrait ?? null);
}
