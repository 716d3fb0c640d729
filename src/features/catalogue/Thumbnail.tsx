import { classNames } from '#src/components/class-names.ts';
import { shownThumbnail } from './catalogue.ts';

/** A course's picture, or its drawn cover; decorative, as the title is beside it. */
export function Thumbnail({
  course,
  className,
}: {
  course: { title: string; categoryName?: string; thumbnail: string };
  className?: string;
}) {
  const source = shownThumbnail(course.thumbnail);
  return (
    <div
      aria-hidden="true"
      className={classNames('cover shrink-0 rounded-md', className)}
      data-title={[course.categoryName, course.title].filter(Boolean).join(': ')}
    >
      {source && (
        <img
          key={source}
          src={source}
          alt=""
          width="320"
          height="180"
          decoding="async"
          onError={({ currentTarget }) => {
            currentTarget.hidden = true;
          }}
        />
      )}
    </div>
  );
}
