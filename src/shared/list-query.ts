import { counted } from './counted.ts';
import { MAX_ID } from './fields.ts';

/** Characters of a search at most; what is beyond is left out. */
export const SEARCH_MAX = 200;

/** A search as it is looked up: one line, no control characters, at most `SEARCH_MAX` characters. */
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

/** A whole number from 1 that a text writes in plain digits; null for anything else. */
export function parseCount(value: string | null | undefined): number | null {
  if (!value || !/^[1-9]\d{0,9}$/.test(value)) return null;
  const number = Number(value);
  return number <= MAX_ID ? number : null;
}

/** Rows on one page of an administrator's list. */
export const ADMIN_PAGE_SIZE = 20;

/** What an administrator's list shows, as its address says it; unknown values count as not given. */
export interface ListQuery {
  search: string;
  /** From 1. */
  page: number;
}

/** Reads search and page from an address. */
export function parseListQuery(params: URLSearchParams): ListQuery {
  return { search: cleanSearch(params.get('search') ?? ''), page: parseCount(params.get('page')) ?? 1 };
}

/** The address of a list's state; what is empty, or the first page, is left out. */
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

/** How many pages so many rows fill, one at least. */
export function pageCount(total: number, size = ADMIN_PAGE_SIZE): number {
  return Math.max(1, Math.ceil(total / size));
}

/** "12 accounts"; "more than 1,000 accounts" where a search has found more than are counted. */
export function countedFound(
  { total, isMore }: { total: number; isMore?: boolean },
  one: string,
  many?: string,
): string {
  return isMore ? `more than ${counted(total, one, many)}` : counted(total, one, many);
}
