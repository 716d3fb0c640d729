import { counted } from './counted.ts';
import { MAX_ID } from './fields.ts';

/** Characters; longer ones are cut. */
export const SEARCH_MAX = 200;

/** One line without control characters. */
export function cleanSearch(value: string): string {
  return [
    ...value
      .slice(0, SEARCH_MAX * 4)
      .toWellFormed()
      .replace(/[\p{Cc}\p{Zl}\p{Zp}\uFFFD]+/gu, ' '),
  ]
    .slice(0, SEARCH_MAX)
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

/** From 1, in plain digits; else null. */
export function parseCount(value: string | null | undefined): number | null {
  if (!value || !/^[1-9]\d{0,9}$/.test(value)) return null;
  const number = Number(value);
  return number <= MAX_ID ? number : null;
}

export const ADMIN_PAGE_SIZE = 20;

/** Unknown values count as none. */
export interface ListQuery {
  search: string;
  /** From 1. */
  page: number;
}

export function parseListQuery(params: URLSearchParams): ListQuery {
  return { search: cleanSearch(params.get('search') ?? ''), page: parseCount(params.get('page')) ?? 1 };
}

/** Without defaults. */
export function listHref(
  path: string,
  query: { search?: string; page?: number; [filter: string]: string | number | null | undefined },
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value && !(name === 'page' && value === 1)) params.set(name, String(value));
  }
  const text = params.toString();
  return text ? `${path}?${text}` : path;
}

/** At least 1. */
export function pageCount(total: number, size = ADMIN_PAGE_SIZE): number {
  return Math.max(1, Math.ceil(total / size));
}

/** "12 accounts"; "more than 1,000 accounts". */
export function countedFound(
  { total, isMore }: { total: number; isMore?: boolean },
  one: string,
  many?: string,
): string {
  return isMore ? `more than ${counted(total, one, many)}` : counted(total, one, many);
}
