import { ExternalLink, Eye, EyeOff, Link2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { formatCents } from '#src/shared/money.ts';
import { type AdminCourse, counted, deletionNotice } from './admin.ts';
import { deleteCourseCall, toggleCourseCall } from './schema.ts';

/** The courses of one page of the list, each with what an administrator can do with it (spec 2). */
export function CourseList({ initialCourses }: { initialCourses: AdminCourse[] }) {
  const [courses, setCourses] = useState(initialCourses);

  const show = (id: number, isActive: boolean) => {
    setCourses((current) => current.map((course) => (course.id === id ? { ...course, isActive } : course)));
    window.dispatchEvent(new CustomEvent('course:visibility', { detail: { isActive } }));
  };

  return (
    <ul aria-label="Courses" className="divide-y divide-line rounded-lg border border-line bg-surface">
      {courses.map((course) => (
        <CourseRow key={course.id} course={course} onVisibility={(isActive) => show(course.id, isActive)} />
      ))}
    </ul>
  );
}

async function copyLink({ id }: AdminCourse): Promise<void> {
  const link = `${location.origin}/buy/${id}`;
  try {
    await navigator.clipboard.writeText(link);
    toast({ title: 'Link copied', description: link });
  } catch {
    toast({ title: 'Copy Failed', description: link, variant: 'destructive' });
  }
}

async function remove(course: AdminCourse): Promise<void> {
  try {
    const { outcome } = await call(deleteCourseCall, { params: { id: course.id } });
    toastOnNextPage({
      title: outcome === 'removed' ? 'Course deleted' : 'Course hidden',
      description:
        outcome === 'removed'
          ? `“${course.title}” is gone.`
          : `“${course.title}” is off the store. Its buyers keep it.`,
    });
    location.reload();
    // The page is being left; the dialog stays busy until it is.
    await new Promise(() => {});
  } catch (error) {
    toast({
      title: 'Error',
      description: messageOf(error, 'Failed to delete course'),
      variant: 'destructive',
    });
  }
}

function CourseRow({
  course,
  onVisibility,
}: {
  course: AdminCourse;
  onVisibility: (isActive: boolean) => void;
}) {
  const [working, setWorking] = useState(false);

  const toggle = async () => {
    setWorking(true);
    try {
      const { isActive } = await call(toggleCourseCall, { params: { id: course.id } });
      onVisibility(isActive);
      toast({
        title: isActive ? 'Course shown' : 'Course hidden',
        description: isActive
          ? `“${course.title}” is in the store.`
          : `“${course.title}” is off the store. Its buyers keep it.`,
      });
    } catch (error) {
      toast({
        title: 'Error',
        description: messageOf(error, 'Failed to update course visibility'),
        variant: 'destructive',
      });
    } finally {
      setWorking(false);
    }
  };

  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-2 px-5 py-4 sm:px-6 lg:grid-cols-[minmax(0,1fr)_6.5rem_7rem_4.5rem_auto] lg:py-3">
      <div className="col-span-2 min-w-0 lg:col-span-1">
        <h3 className="font-semibold break-words">{course.title}</h3>
        <p className="text-sm text-ink-soft">
          {course.categoryName} · {course.level}
        </p>
      </div>
      <p className="flex gap-x-4 text-sm tabular-nums lg:contents lg:text-[0.9375rem]">
        <span className="font-semibold lg:text-right">
          {course.priceCents === 0 ? 'Free' : formatCents(course.priceCents)}
        </span>
        <span className="text-ink-soft lg:text-right">{counted(course.studentsCount, 'student')}</span>
      </p>
      <Badge
        tone={course.isActive ? 'success' : 'neutral'}
        className="justify-self-end lg:justify-self-start"
      >
        {course.isActive ? 'Active' : 'Inactive'}
      </Badge>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields */}
      <div
        role="group"
        aria-label={`Actions for ${course.title}`}
        className="col-span-2 -mx-2 flex flex-wrap lg:col-span-1 lg:mx-0 lg:-mr-3.5 lg:flex-nowrap"
      >
        <Button
          variant="ghost"
          size="sm"
          className="max-lg:min-h-11 max-lg:gap-1.5 max-lg:px-2"
          aria-label={`Copy shareable link of ${course.title}`}
          onClick={() => void copyLink(course)}
        >
          <Link2 aria-hidden="true" /> Copy link
        </Button>
        <Button
          variant="ghost"
          size="sm"
          className="max-lg:min-h-11 max-lg:gap-1.5 max-lg:px-2 lg:min-w-24"
          loading={working}
          aria-label={`${course.isActive ? 'Hide' : 'Show'} ${course.title}`}
          onClick={() => void toggle()}
        >
          {course.isActive ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
          {course.isActive ? 'Hide' : 'Show'}
        </Button>
        <Button
          variant="ghost"
          size="sm"
          className="max-lg:min-h-11 max-lg:gap-1.5 max-lg:px-2"
          href={`/courses/${course.id}`}
          aria-label={`View ${course.title}`}
        >
          <ExternalLink aria-hidden="true" /> View
        </Button>
        <AlertDialog
          title="Are you sure you want to delete this course?"
          description={deletionNotice(course)}
          confirmLabel={course.isKept ? 'Delete from the store' : 'Delete for good'}
          destructive
          onConfirm={() => remove(course)}
          trigger={
            <Button
              variant="ghost"
              size="sm"
              className="text-danger! max-lg:min-h-11 max-lg:gap-1.5 max-lg:px-2"
              aria-label={`Delete ${course.title}`}
            >
              <Trash2 aria-hidden="true" /> Delete
            </Button>
          }
        />
      </div>
    </li>
  );
}
