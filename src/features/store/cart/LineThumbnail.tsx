import { classNames } from '#src/components/class-names.ts';
import { shownThumbnail } from '#src/features/catalogue/catalogue.ts';

export function LineThumbnail({
  course,
  className,
}: {
  course: { title: string; thumbnail: string };
  className?: string;
}) {
  const source = shownThumbnail(course.thumbnail);
  return (
    <div
      aria-hidden="true"
      className={classNames(
        'cover relative aspect-video overflow-hidden bg-accent-soft font-semibold shrink-0 rounded-md',
        className,
      )}
      data-title={course.title}
    >
      {source && (
        <img
          src={source}
          alt=""
          width="320"
          height="180"
          decoding="async"
          className="absolute inset-0 size-full bg-sunken object-cover"
        />
      )}
    </div>
  );
}
