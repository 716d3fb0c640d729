import { Copy, EllipsisVertical, FolderInput } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Menu, MenuItem } from '#src/components/Menu.tsx';
import { Select } from '#src/components/Select.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { call, messageOf } from '#src/shared/api.ts';
import type { ListedLesson } from '../lessons.ts';
import { duplicateLessonCall, moveLessonCall } from '../schema.ts';

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
      toast({
        title: 'Error',
        description: messageOf(error, 'The lesson could not be duplicated'),
        variant: 'destructive',
      });
    }
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
      {isChoosing && <OtherCourse lesson={lesson} courses={courses} onClose={() => setIsChoosing(false)} />}
    </>
  );
}

function OtherCourse({
  lesson,
  courses,
  onClose,
}: {
  lesson: ListedLesson;
  courses: readonly { id: number; title: string }[];
  onClose: () => void;
}) {
  const [courseId, setCourseId] = useState('');
  const [problem, setProblem] = useState('');
  const [working, setWorking] = useState(false);
  const submit = async () => {
    if (courseId === '') return setProblem('Choose a course');
    setWorking(true);
    setProblem('');
    try {
      await call(moveLessonCall, { params: { id: lesson.id }, input: { courseId: Number(courseId) } });
      toastOnNextPage({
        title: 'Lesson moved',
        description: `“${lesson.title}” is in “${courses.find(({ id }) => id === Number(courseId))!.title}”. Learners of a published course see that once you publish it, here and there.`,
      });
      location.assign(`/admin/courses/${courseId}/content`);
    } catch (error) {
      setProblem(messageOf(error, 'That did not work. Nothing has changed.'));
      setWorking(false);
    }
  };
  return (
    <Dialog
      size="sm"
      title={`Move “${lesson.title}” to another course`}
      description="Only while no learner has worked on it."
      open
      onOpenChange={(open) => !open && onClose()}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={working} onClick={() => void submit()}>
            Move it there
          </Button>
        </>
      }
    >
      <Field label="Course" required error={problem}>
        <Select
          value={courseId}
          onValueChange={(value) => {
            setCourseId(value);
            setProblem('');
          }}
          placeholder="Choose a course"
          options={courses.map(({ id, title }) => ({ value: String(id), label: title }))}
        />
      </Field>
    </Dialog>
  );
}
