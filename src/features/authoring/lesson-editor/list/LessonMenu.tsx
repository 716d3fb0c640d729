import { Copy, EllipsisVertical, FolderInput } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Menu, MenuItem } from '#src/components/Menu.tsx';
import { RadioGroup } from '#src/components/RadioGroup.tsx';
import { Select } from '#src/components/Select.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { call, messageOf } from '#src/shared/api.ts';
import type { ListedLesson } from '../lessons.ts';
import { duplicateLessonCall, moveLessonCall } from '../schema.ts';

/** What else can be done with a lesson of the list: a copy of it, here or in another course, and moving it there. */
export function LessonMenu({
  lesson,
  courses,
}: {
  lesson: ListedLesson;
  /** The other courses, by title. */
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
          To another course
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
  const [way, setWay] = useState<'copy' | 'move'>('copy');
  const [problem, setProblem] = useState<{ choice?: string; refusal?: string }>({});
  const [working, setWorking] = useState(false);
  const submit = async () => {
    if (courseId === '') return setProblem({ choice: 'Choose a course' });
    setWorking(true);
    setProblem({});
    try {
      const there = { params: { id: lesson.id }, input: { courseId: Number(courseId) } };
      await (way === 'copy' ? call(duplicateLessonCall, there) : call(moveLessonCall, there));
      toastOnNextPage({
        title: way === 'copy' ? 'Lesson copied' : 'Lesson moved',
        description: `“${lesson.title}” is in “${courses.find(({ id }) => id === Number(courseId))!.title}”. Learners of a published course see that once you publish it${way === 'move' ? ', here and there' : ''}.`,
      });
      location.assign(`/admin/courses/${courseId}/content`);
    } catch (error) {
      setProblem({ refusal: messageOf(error, 'That did not work. Nothing has changed.') });
      setWorking(false);
    }
  };
  return (
    <Dialog
      size="sm"
      title={`“${lesson.title}” to another course`}
      open
      onOpenChange={(open) => !open && onClose()}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={working} onClick={() => void submit()}>
            {way === 'copy' ? 'Copy it there' : 'Move it there'}
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <Field label="Course" required error={problem.choice}>
          <Select
            value={courseId}
            onValueChange={(value) => {
              setCourseId(value);
              setProblem({});
            }}
            placeholder="Choose a course"
            options={courses.map(({ id, title }) => ({ value: String(id), label: title }))}
          />
        </Field>
        <RadioGroup
          label="How"
          value={way}
          onValueChange={(value) => setWay(value as typeof way)}
          error={problem.refusal}
          options={[
            { value: 'copy', label: 'Copy', hint: 'It stays here too. The copy has nobody’s progress.' },
            { value: 'move', label: 'Move', hint: 'Only while no learner has worked on it.' },
          ]}
        />
      </div>
    </Dialog>
  );
}
