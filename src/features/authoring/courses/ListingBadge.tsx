import { Badge } from '#src/components/Badge.tsx';
import { type CourseStanding, standingOf } from '#src/features/authoring/publishing/publish-check.ts';

/** How a course stands in the store; a link to where it is mended where something keeps it off. */
export function ListingBadge(course: CourseStanding) {
  const { text, tone, href } = standingOf(course);
  const badge = <Badge tone={tone}>{text}</Badge>;
  return href === null ? (
    badge
  ) : (
    <a
      href={href}
      className="inline-flex min-h-6 items-center rounded-full underline-offset-2 hover:underline"
    >
      {badge}
    </a>
  );
}
