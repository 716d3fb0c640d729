import { Badge } from '#src/components/Badge.tsx';
import { type CourseStanding, standingOf } from '#src/features/authoring/publishing/publish-check.ts';

/** A course's standing, with a link to where it is mended. */
export function ListingBadge(course: CourseStanding) {
  return standingOf(course).map(({ text, tone, href }) =>
    href === null ? (
      <Badge key={text} tone={tone}>
        {text}
      </Badge>
    ) : (
      <a
        key={text}
        href={href}
        className="inline-flex min-h-6 items-center rounded-full underline-offset-2 hover:underline"
      >
        <Badge tone={tone}>{text}</Badge>
      </a>
    ),
  );
}
