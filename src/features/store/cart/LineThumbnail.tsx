import { classNames } from '#src/components/class-names.ts';
import { shownThumbnail } from '#src/features/catalogue/catalogue.ts';

export function LineThumbnail({ thumbnail, className }: { thumbnail: string; className?: string }) {
  const source = shownThumbnail(thumbnail);
  return (
    <div className={classNames('aspect-video shrink-0 overflow-hidden rounded-md bg-sunken', className)}>
      {source && (
        <img
          src={source}
          alt=""
          width="320"
          height="180"
          decoding="async"
          className="size-full object-cover"
        />
      )}
    </div>
  );
}
