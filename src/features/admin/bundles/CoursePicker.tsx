import { ArrowUp, Plus, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { toldApart } from '#src/features/catalogue/catalogue.ts';
import { listCoursesCall } from '#src/features/catalogue/schema.ts';
import { BUNDLE_COURSES_MAX } from '#src/features/store/bundles/bundles.ts';
import { call } from '#src/shared/api.ts';
import { centsOf, formatCents, formatDecimal } from '#src/shared/money.ts';

type Choice = { id: number; title: string; price: string };

const OFFERED = 6;
const WAIT_MS = 250;

/** A hidden field has the ids for the form. */
export function CoursePicker({ initial, error }: { initial: readonly Choice[]; error: string | undefined }) {
  const [chosen, setChosen] = useState(() => toldApart(initial));
  const [search, setSearch] = useState('');
  const [found, setFound] = useState<{ search: string; courses: Choice[]; failed?: boolean } | null>(null);

  useEffect(() => {
    const asked = search.trim();
    if (!asked) return setFound(null);
    let isOld = false;
    const timer = setTimeout(() => {
      call(listCoursesCall, { query: { search: asked, pageSize: OFFERED + BUNDLE_COURSES_MAX } }).then(
        (courses) => !isOld && setFound({ search: asked, courses: toldApart(courses) }),
        () => !isOld && setFound({ search: asked, courses: [], failed: true }),
      );
    }, WAIT_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [search]);

  const offered = found?.courses.filter(({ id }) => !chosen.some((one) => one.id === id)).slice(0, OFFERED);
  const singlyCents = chosen.reduce((sum, { price }) => sum + centsOf(price), 0);
  const remove = (id: number) => setChosen((now) => now.filter((one) => one.id !== id));
  const raise = (index: number) =>
    setChosen((now) => [...now.slice(0, index - 1), now[index]!, now[index - 1]!, ...now.slice(index + 1)]);
  return (
    <div className="grid gap-3">
      <input type="hidden" name="courseIds" value={chosen.map(({ id }) => id).join(',')} />
      <Field
        label="Courses"
        required
        hint="Type a part of a title to find courses in the store."
        error={error}
      >
        <Input
          type="search"
          value={search}
          autoComplete="off"
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </Field>
      <p role="status" className="sr-only">
        {found && offered && `${offered.length} courses found`}
      </p>
      {found && offered && (
        <ul aria-label="Courses found" className="divide-y divide-line rounded-md border border-line">
          {offered.map((course) => (
            <li key={course.id} className="flex items-center justify-between gap-3 py-1.5 pr-1.5 pl-4">
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {course.title} <span className="text-sm text-ink-soft">{formatDecimal(course.price)}</span>
              </span>
              <Button
                variant="ghost"
                size="sm"
                className="max-sm:min-h-11"
                disabled={chosen.length >= BUNDLE_COURSES_MAX}
                aria-label={`Add ${course.title}`}
                onClick={() => setChosen((now) => [...now, course])}
              >
                <Plus aria-hidden="true" /> Add
              </Button>
            </li>
          ))}
          {offered.length === 0 && (
            <li className="px-4 py-3 text-sm text-ink-soft">
              {found.failed
                ? 'The search did not answer. Please type it again.'
                : `No other course in the store matches “${found.search}”.`}
            </li>
          )}
        </ul>
      )}
      {chosen.length > 0 && (
        <>
          <ol aria-label="Courses of the bundle" className="divide-y divide-line rounded-md bg-sunken">
            {chosen.map((course, index) => (
              <li key={course.id} className="flex items-center justify-between gap-3 py-1.5 pr-1.5 pl-4">
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  {course.title} <span className="text-sm text-ink-soft">{formatDecimal(course.price)}</span>
                </span>
                <span className="flex shrink-0">
                  {index > 0 && (
                    <Button
                      variant="ghost"
                      size="icon-sm"
                      aria-label={`Move ${course.title} up`}
                      onClick={() => raise(index)}
                    >
                      <ArrowUp aria-hidden="true" />
                    </Button>
                  )}
                  <Button
                    variant="ghost"
                    size="icon-sm"
                    aria-label={`Remove ${course.title}`}
                    onClick={() => remove(course.id)}
                  >
                    <X aria-hidden="true" />
                  </Button>
                </span>
              </li>
            ))}
          </ol>
          <p className="text-sm text-ink-soft tabular-nums">Singly: {formatCents(singlyCents)}</p>
        </>
      )}
    </div>
  );
}
