import { toastFailure } from '#src/features/authoring/toast-failure.ts';
import { Copy, EllipsisVertical, FolderInput } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Menu, MenuItem } from '#src/components/Menu.tsx';
import { toastOnNextPage } from '#src/components/toast.store.ts';
import { call } from '#src/shared/api.ts';
import type { ListedLesson } from '../lessons.ts';
import { duplicateLessonCall, moveLessonCall } from '../schema.ts';
import { OtherCourse } from './OtherCourse.tsx';

/** Copies a lesson, or moves it to another course. */
export function LessonMenu({
  lesson,
  courses,
}: {
  lesson: ListedLesson;
  courses: readonly { id: number; title: string }[];
}) {
  const [isChoosing, setIsChoosing] = useState(false);
  const duplicate = async () => {
    try {
      const { title } = await call(duplicateLessonCall, { params: { id: lesson.id }, input: {} });
      toastOnNextPage({ title: 'Lesson duplicated', description: `“${title}” stands below it.` });
      location.reload();
    } catch (error) {
      toastFailure(error, 'The lesson could not be duplicated');
    }
  };
  const move = async (courseId: number) => {
    await call(moveLessonCall, { params: { id: lesson.id }, input: { courseId } });
    toastOnNextPage({
      title: 'Lesson moved',
      description: `“${lesson.title}” is in “${courses.find(({ id }) => id === courseId)!.title}”. Learners of a published course see that once you publish it, here and there.`,
    });
    location.assign(`/admin/courses/${courseId}/content`);
  };
  return (
    <>
      <Menu
        trigger={
          <Button
            variant="ghost"
            size="icon-sm"
            className="max-sm:size-11"
            aria-label={`More for ${lesson.title}`}
          >
            <EllipsisVertical aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem icon={<Copy aria-hidden="true" />} onSelect={() => void duplicate()}>
          Duplicate
        </MenuItem>
        <MenuItem
          icon={<FolderInput aria-hidden="true" />}
          disabled={courses.length === 0}
          onSelect={() => setIsChoosing(true)}
        >
          Move to another course
        </MenuItem>
      </Menu>
      {isChoosing && (
        <OtherCourse
          what={`“${lesson.title}”`}
          condition="Only while no learner has worked on it."
          confirmLabel="Move it there"
          courses={courses}
          onMove={move}
          open
          onOpenChange={setIsChoosing}
        />
      )}
    </>
  );
}
