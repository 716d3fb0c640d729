import { findClassroom, visitLesson } from '#src/features/learn/classroom/classroom.server.ts';

/** What the page of a lesson does: gives what is in it and records the visit. Null for a lesson of another course. */
export async function openLesson(userId: number, courseId: number, lessonId: number) {
  const room = await findClassroom({ id: userId, role: 'student' }, courseId, lessonId);
  if (room?.lesson?.id !== lessonId) return null;
  await visitLesson(userId, courseId, lessonId);
  return room.lesson;
}
