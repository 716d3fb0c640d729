import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { MouseEvent } from 'react';
import { pagination, shownPages } from './pagination.ts';

export interface PaginationProps {
  /** The current page, from 1. */
  page: number;
  pages: number;
  /** The address of a page; the entries are links. */
  href: (page: number) => string;
  /** Takes over a plain click on an entry, for lists that change without a page load. */
  onPage?: (page: number) => void;
  label?: string;
  className?: string;
}

/** Links to the pages of a list; nothing when there is only one. */
export function Pagination({ page, pages, href, onPage, label = 'Pages', className }: PaginationProps) {
  if (pages <= 1) return null;
  const goTo = (target: number) => (event: MouseEvent) => {
    if (!onPage || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onPage(target);
  };
  return (
    <nav aria-label={label} className={className}>
      <ul className={pagination.list}>
        <li>
          {page > 1 ? (
            <a
              href={href(page - 1)}
              onClick={goTo(page - 1)}
              rel="prev"
              aria-label="Previous page"
              className={pagination.page}
            >
              <ChevronLeft aria-hidden="true" className="size-5" />
            </a>
          ) : (
            <span aria-hidden="true" className={pagination.off}>
              <ChevronLeft className="size-5" />
            </span>
          )}
        </li>
        {shownPages(page, pages).map((number, index, all) => (
          <li key={number ?? `gap-after-${all[index - 1]}`}>
            {number === null ? (
              <span className={pagination.gap}>…</span>
            ) : (
              <a
                href={href(number)}
                onClick={goTo(number)}
                aria-label={`Page ${number}`}
                aria-current={number === page ? 'page' : undefined}
                className={pagination.page}
              >
                {number}
              </a>
            )}
          </li>
        ))}
        <li>
          {page < pages ? (
            <a
              href={href(page + 1)}
              onClick={goTo(page + 1)}
              rel="next"
              aria-label="Next page"
              className={pagination.page}
            >
              <ChevronRight aria-hidden="true" className="size-5" />
            </a>
          ) : (
            <span aria-hidden="true" className={pagination.off}>
              <ChevronRight className="size-5" />
            </span>
          )}
        </li>
      </ul>
    </nav>
  );
}
