import { toastFailure } from '#src/features/authoring/toast-failure.ts';
import {
  Archive,
  ArchiveRestore,
  Copy,
  Download,
  Ellipsis,
  ExternalLink,
  Eye,
  EyeOff,
  Link2,
  Pencil,
  ShieldCheck,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import { Menu, MenuItem, MenuSeparator } from '#src/components/Menu.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { toldApart } from '#src/features/catalogue/catalogue.ts';
import { Thumbnail } from '#src/features/catalogue/Thumbnail.tsx';
import { call } from '#src/shared/api.ts';
import { formatCents } from '#src/shared/money.ts';
import { counted } from '#src/shared/counted.ts';
import { $activeChange } from './active-change.store.ts';
import { type AdminCourse, deletionNotice, LEFT_OUT, lessonsText } from './courses.ts';
import { ContentDialog } from './ContentDialog.tsx';
import { EditCourse } from './CourseEditor.tsx';
import { publishHref } from '#src/features/authoring/publishing/publish-check.ts';
import { ListingBadge } from './ListingBadge.tsx';
import {
  archiveCourseCall,
  deleteCourseCall,
  duplicateCourseCall,
  type Toggled,
  toggleCourseCall,
} from './schema.ts';
import { toggleNotice } from './toggle-notice.ts';

export { NewCourse } from './CourseEditor.tsx';

/** A page of the list of courses with its actions (spec 2). */
export function CourseList({
  initialCourses,
  categories,
}: {
  initialCourses: AdminCourse[];
  categories: { id: number; name: string }[];
}) {
  const [courses, setCourses] = useState(initialCourses);

  const show = (id: number, { isActive, activateWhenProven, unproven = [] }: Toggled) => {
    setCourses((current) =>
      current.map((course) =>
        course.id === id ? { ...course, isActive, isArchived: false, activateWhenProven, unproven } : course,
      ),
    );
    $activeChange.set($activeChange.get() + (isActive ? 1 : -1));
  };

  // The new lesson is not proven.
  const addLesson = (id: number, waits: boolean) =>
    setCourses((current) =>
      current.map((course) =>
        course.id !== id
          ? course
          : waits
            ? { ...course, waitingCount: course.waitingCount + 1, hasChanges: true }
            : {
                ...course,
                lessonCount: course.lessonCount + 1,
                unproven: [
                  ...course.unproven.filter(({ code }) => code !== 'no_lessons'),
                  { code: 'not_checked', message: '', lessonId: -course.lessonCount },
                ],
              },
      ),
    );

  const told = toldApart(courses);
  return (
    <ul aria-label="Courses" className="divide-y divide-line card">
      {courses.map((course, at) => (
        <CourseRow
          key={course.id}
          course={course}
          name={told[at]!.title}
          categories={categories}
          onToggled={(now) => show(course.id, now)}
          onAdded={(waits) => addLesson(course.id, waits)}
        />
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
    // The dialog stays busy until the page is left.
    await new Promise(() => {});
  } catch (error) {
    toastFailure(error, 'Failed to delete course');
  }
}

async function change(
  run: () => Promise<{ title: string; description: string; href?: string }>,
  failure: string,
) {
  try {
    const { href, ...notice } = await run();
    toastOnNextPage(notice);
    if (href) location.assign(href);
    else location.reload();
  } catch (error) {
    toastFailure(error, failure);
  }
}

const duplicate = (course: AdminCourse) =>
  change(async () => {
    const { id, title } = await call(duplicateCourseCall, { params: { id: course.id } });
    const description = `“${title}” is hidden until you show it. ${LEFT_OUT}`;
    return { title: 'Course duplicated', description, href: `/admin/courses/${id}/content` };
  }, 'The course could not be duplicated');

const archive = (course: AdminCourse) =>
  change(async () => {
    const input = { archived: !course.isArchived };
    const { archived } = await call(archiveCourseCall, { params: { id: course.id }, input });
    return archived
      ? {
          title: 'Course archived',
          description: `“${course.title}” is off the store and off this list. Its learners keep it; State: Archived finds it.`,
        }
      : { title: 'Course brought back', description: `“${course.title}” is hidden until you show it.` };
  }, 'The course could not be archived');

const actionClass = 'max-lg:min-h-11 max-lg:gap-1.5 max-lg:px-2.5';

function CourseRow({
  course,
  name,
  categories,
  onToggled,
  onAdded,
}: {
  course: AdminCourse;
  name: string;
  categories: { id: number; name: string }[];
  onToggled: (now: Toggled) => void;
  onAdded: (waits: boolean) => void;
}) {
  const [working, setWorking] = useState(false);
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null);

  const toggle = async () => {
    setWorking(true);
    try {
      const now = await call(toggleCourseCall, { params: { id: course.id } });
      onToggled(now);
      toast(toggleNotice(course, now));
    } catch (error) {
      toastFailure(error, 'Failed to update course visibility');
    } finally {
      setWorking(false);
    }
  };

  return (
    <li className="flex gap-5 px-5 py-4 sm:px-6">
      <Thumbnail course={course} className="w-28 self-start max-sm:hidden" />
      <div className="min-w-0 flex-1">
        <div className="flex items-start justify-between gap-x-6">
          <div className="min-w-0">
            <h3 className="font-semibold break-words">{name}</h3>
            <p className="text-sm text-ink-soft tabular-nums">
              {[
                course.categoryName,
                course.level,
                lessonsText(course),
                counted(course.studentsCount, 'student'),
              ].join('\u00a0· ')}
            </p>
            <p className="mt-1.5 flex flex-wrap gap-x-2 gap-y-1.5">
              <ListingBadge {...course} />
            </p>
          </div>
          <span className="shrink-0 font-semibold tabular-nums">
            {course.priceCents === 0 ? 'Free' : formatCents(course.priceCents)}
          </span>
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields */}
        <div
          role="group"
          aria-label={`Actions for ${name}`}
          className="mt-1.5 -ml-2.5 flex flex-wrap sm:-ml-3.5"
        >
          <ContentDialog course={course} className={actionClass} onAdded={onAdded} />
          <Button
            variant="ghost"
            size="sm"
            className={actionClass}
            href={`/courses/${course.id}`}
            aria-label={`View ${name}`}
          >
            <ExternalLink aria-hidden="true" /> View
          </Button>
          <Menu
            trigger={
              <Button
                variant="ghost"
                size="sm"
                className={actionClass}
                loading={working}
                aria-label={`More for ${name}`}
              >
                <Ellipsis aria-hidden="true" /> More
              </Button>
            }
          >
            <MenuItem icon={<Pencil aria-hidden="true" />} onSelect={() => setAsked('edit')}>
              Edit
            </MenuItem>
            <MenuItem
              icon={course.isActive ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
              onSelect={() => void toggle()}
            >
              {course.isActive ? 'Hide' : 'Show'}
            </MenuItem>
            <MenuItem icon={<ShieldCheck aria-hidden="true" />} href={publishHref(course.id)}>
              Publish
            </MenuItem>
            <MenuItem icon={<Link2 aria-hidden="true" />} onSelect={() => void copyLink(course)}>
              Copy shareable link
            </MenuItem>
            <MenuItem
              icon={<Download aria-hidden="true" />}
              title={LEFT_OUT}
              href={`/admin/courses/${course.id}/export.zip`}
            >
              Export
            </MenuItem>
            <MenuItem icon={<Copy aria-hidden="true" />} onSelect={() => void duplicate(course)}>
              Duplicate
            </MenuItem>
            <MenuItem
              icon={
                course.isArchived ? <ArchiveRestore aria-hidden="true" /> : <Archive aria-hidden="true" />
              }
              onSelect={() => void archive(course)}
            >
              {course.isArchived ? 'Bring back' : 'Archive'}
            </MenuItem>
            <MenuSeparator />
            <MenuItem danger icon={<Trash2 aria-hidden="true" />} onSelect={() => setAsked('delete')}>
              Delete
            </MenuItem>
          </Menu>
          <EditCourse
            course={course}
            categories={categories}
            open={asked === 'edit'}
            onOpenChange={() => setAsked(null)}
          />
          <AlertDialog
            title="Are you sure you want to delete this course?"
            description={deletionNotice(course)}
            confirmLabel={course.isKept ? 'Delete from the store' : 'Delete for good'}
            destructive
            onConfirm={() => remove(course)}
            open={asked === 'delete'}
            onOpenChange={() => setAsked(null)}
          />
        </div>
      </div>
    </li>
  );
}
