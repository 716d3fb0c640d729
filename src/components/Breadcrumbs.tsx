import { breadcrumbs, type Crumb } from './breadcrumbs.ts';

/** Where the page stands: its parents as links, itself last. */
export function Breadcrumbs({
  items,
  label = 'Breadcrumbs',
  className,
}: {
  items: readonly Crumb[];
  label?: string;
  className?: string;
}) {
  return (
    <nav aria-label={label} className={className}>
      <ol className={breadcrumbs.list}>
        {items.map((item, index) => (
          <li key={item.label} className={breadcrumbs.item}>
            {index > 0 && <span aria-hidden="true" className={breadcrumbs.dot} />}
            {item.href ? (
              <a href={item.href} className={breadcrumbs.link}>
                {item.label}
              </a>
            ) : (
              <span aria-current="page" className={breadcrumbs.here}>
                {item.label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
