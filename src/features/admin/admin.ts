import { cleanSearch, parseCount } from '#src/features/catalogue/catalogue.ts';
import { MESSAGE_STATUSES, type MessageStatus } from './schema.ts';

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
export function pageCount(total: number): number {
  return Math.max(1, Math.ceil(total / ADMIN_PAGE_SIZE));
}

/** The role that a list of users is narrowed to; null for all. */
export function parseRole(value: string | null): 'student' | 'admin' | null {
  return value === 'student' || value === 'admin' ? value : null;
}

/** The state that the inbox is narrowed to; null for all. */
export function parseMessageStatus(value: string | null): MessageStatus | null {
  return MESSAGE_STATUSES.find((status) => status === value) ?? null;
}

/** "1 student", "2,400 students". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** A course in the administrators' list. */
export interface AdminCourse {
  id: number;
  title: string;
  categoryName: string;
  level: string;
  priceCents: number;
  studentsCount: number;
  isActive: boolean;
  /** People who have access to it now. */
  owners: number;
  /** Someone owns, owned or ordered it, so that deleting hides it and keeps it (decision 30). */
  isKept: boolean;
}

/** Which of the two things will happen when this course is deleted (decision 30). */
export function deletionNotice(
  course: Pick<AdminCourse, 'title' | 'isActive' | 'owners' | 'isKept'>,
): string {
  const name = `“${course.title}”`;
  if (!course.isKept) {
    return `${name} and all of its lessons will be removed for good. Nobody has bought it.`;
  }
  const what = course.isActive ? 'will be hidden from the store' : 'stays hidden from the store';
  if (course.owners === 0) return `${name} is part of an order, so it ${what} and is kept.`;
  const who = course.owners === 1 ? '1 person owns' : `${course.owners.toLocaleString('en-US')} people own`;
  return `${who} ${name}. It ${what}, and they keep their access.`;
}

/** A person in the administrators' list. */
export interface ListedUser {
  id: number;
  username: string;
  email: string;
  role: 'student' | 'admin';
  emailVerified: boolean;
  joinedAt: string;
}

/** A message of the contact form in the inbox. */
export interface InboxMessage {
  id: number;
  name: string;
  email: string;
  subject: string;
  message: string;
  status: MessageStatus;
  receivedAt: string;
}

/** What waits for an administrator. Of orders and mails, the newest few are named. */
export interface ThingsToDo {
  adminRequests: number;
  newMessages: number;
  flaggedOrders: { count: number; newest: { id: number; flag: string }[] };
  failedMails: { count: number; newest: { id: number; recipient: string; subject: string; error: string }[] };
}

/** One entry of the audit log. */
export interface Change {
  id: number;
  at: string;
  actorName: string;
  action: string;
  reason: string | null;
  details: Record<string, unknown>;
}

const SENTENCES: Record<string, (about: (detail: string) => string) => string> = {
  'role.granted': (about) => `made ${about('email')} an administrator`,
  'role.revoked': (about) => `took administrator access from ${about('email')}`,
  'admin_request.approved': (about) => `approved the administrator request of ${about('email')}`,
  'admin_request.declined': (about) => `declined the administrator request of ${about('email')}`,
  'course.shown': (about) => `made the course “${about('title')}” visible`,
  'course.hidden': (about) => `hid the course “${about('title')}”`,
  'course.withdrawn': (about) => `deleted the course “${about('title')}” from the store; its buyers keep it`,
  'course.deleted': (about) => `deleted the course “${about('title')}”`,
  'message.status_changed': (about) => `marked the message “${about('subject')}” as ${about('to')}`,
};

/** Actions that administrators' pages list; a person's own doings, such as a password reset, are not among them. */
export const ADMIN_ACTIONS = Object.keys(SENTENCES);
/** Those about users' access. */
export const ROLE_ACTIONS = ADMIN_ACTIONS.filter((action) => /^(role|admin_request)\./.test(action));

/** What was done, to follow the name of who did it. */
export function changeText({ action, details }: Pick<Change, 'action' | 'details'>): string {
  const about = (detail: string) => (typeof details[detail] === 'string' ? details[detail] : '(unknown)');
  return SENTENCES[action]?.(about) ?? action;
}
