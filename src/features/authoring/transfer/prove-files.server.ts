import type { LessonRow } from '#src/features/lessons/lesson-store.server.ts';
import type { PublishFinding } from '#db/schema/catalogue.ts';
import type { Question } from '#src/features/lessons/types/quiz/question.ts';
import type { CheckedLesson } from '#src/features/authoring/publishing/lesson-check.server.ts';
import { mayLetPass } from '#src/features/authoring/publishing/finding-overrides.server.ts';
import { proveLesson } from '#src/features/authoring/publishing/check-lessons.server.ts';
import { typeByName } from '#src/server/files/types-by-name.ts';
import { checkCourseFiles } from './check-files.server.ts';
import type { CourseContent } from './course-format.server.ts';
import { lessonColumns } from './lesson-rows.server.ts';
import { emptyColumns } from '#src/features/authoring/lesson-editor/lesson-fields.ts';
import { faultText } from './course-import.server.ts';
import type { UnpackedCourse } from './course-zip.server.ts';
import { isOwnFile } from '#src/features/lessons/lesson-format.server.ts';
import type { CourseLesson } from './lesson-formats.server.ts';
import { FIXED_CATEGORIES } from '#src/shared/content/categories.ts';

/** Milliseconds to wait for a judge on a busy machine. */
const BUSY_MS = 300_000;

export interface FileFinding {
  severity: PublishFinding['severity'];
  text: string;
}

/**
 * Everything that an import and its publish check find in the files, without a database: runs solutions,
 * plays scenarios, asks for what lessons load.
 */
export async function proveCourseFiles(folder: UnpackedCourse): Promise<FileFinding[]> {
  const { course, lessons, category, faults, ignored } = await checkCourseFiles(folder, null);
  const findings: FileFinding[] = faults.map((fault) => ({ severity: 'error', text: faultText(fault) }));
  const warn = (text: string) => findings.push({ severity: 'warning', text });
  for (const path of ignored) warn(`${path}: nothing refers to it, and it is left out`);
  if (category !== null && !FIXED_CATEGORIES.some(({ id }) => id === category)) {
    warn(`course.yaml: category: whether there is a category ${category}, the site alone knows`);
  }
  for (const lesson of lessons) {
    const proof = await proveLesson(
      { ...(await asStored(lesson, course?.level ?? 'beginner')), bank: bankOf(lesson, lessons) },
      {
        lessonCount: null,
        busyMs: BUSY_MS,
        inFolder: (address) => inFolder(folder, address),
      },
    );
    const file = `lessons/${lesson.name}.md`;
    const letPass = lesson.letPass ?? [];
    if (letPass.length > 0 && !mayLetPass()) {
      warn(`${file}: letPass: nothing can be let pass where PUBLISH_CHECK is required`);
    }
    for (const { key, severity, field, message, mutation } of proof.findings) {
      if (mayLetPass() && letPass.some(({ finding }) => finding === key)) continue;
      const change = mutation ? ` ${mutation.original.trim()} → ${mutation.mutated.trim()}` : '';
      const name = severity === 'error' ? ` (finding ${key})` : '';
      findings.push({ severity, text: `${file}: ${field}: ${message}${change}${name}` });
    }
    for (const { finding } of letPass) {
      if (!proof.findings.some(({ key }) => key === finding)) {
        warn(`${file}: letPass: the check finds no ${finding}: the lesson may have changed`);
      }
    }
  }
  if (lessons.length === 0 && faults.length === 0) {
    findings.push({
      severity: 'error',
      text: 'course.yaml: lessons: a course without lessons is not listed',
    });
  }
  return findings.sort((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'));
}

function inFolder(folder: UnpackedCourse, address: string): { mimeType: string } | null {
  const path = /^(?:\/|\.\.?\/)?((?:files|pictures)\/[^/?#]+)$/.exec(address)?.[1];
  return path && folder.has(path) ? { mimeType: typeByName(path) ?? 'application/octet-stream' } : null;
}

function bankOf(lesson: CourseLesson, lessons: readonly CourseLesson[]): Question[] {
  return lessons.flatMap((other) => (other !== lesson && other.type === 'quiz' ? other.questions : []));
}

async function asStored(
  lesson: CourseLesson,
  level: CourseContent['level'],
): Promise<Omit<CheckedLesson, 'bank'>> {
  // Addresses are checked, so files of the folder get one.
  const {
    questions = [],
    scenario = null,
    ...columns
  } = await lessonColumns(lesson, level, (reference) => ({
    ...{ path: isOwnFile(reference) ? `/files/${reference}` : reference, size: null, mimeType: null },
  }));
  const row = {
    ...emptyColumns(),
    ...{ id: 0, courseId: 0, order: 0, version: 1, revision: 1, provenRevision: null },
    ...{ createdAt: new Date(), updatedAt: new Date() },
    ...columns,
  } as unknown as LessonRow;
  return {
    lesson: row,
    questions: questions.map((question) => ({ ...question, id: null })),
    scenario: scenario as Record<string, unknown> | null,
  };
}
