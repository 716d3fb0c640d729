import { describe, expect, it } from 'vitest';
import { counted } from '#src/shared/counted.ts';
import { changeText, parseMessageStatus, parseRole } from './admin.ts';
import { deletionNotice } from '#src/features/authoring/courses/courses.ts';
import { listHref, pageCount, parseListQuery } from '#src/shared/list-query.ts';

describe('the state of a list', () => {
  it.each([
    ['', { search: '', page: 1 }],
    ['search=%20sql%00%20&page=3', { search: 'sql', page: 3 }],
    ['page=-1', { search: '', page: 1 }],
    ['page=1e3', { search: '', page: 1 }],
  ])('is read from "%s"', (address, query) => {
    expect(parseListQuery(new URLSearchParams(address))).toEqual(query);
  });

  it('has one address, without what is at its default', () => {
    expect(listHref('/admin', { search: '', page: 1 })).toBe('/admin');
    expect(listHref('/admin/users', { search: 'a&b', role: 'admin', page: 2 })).toBe(
      '/admin/users?search=a%26b&role=admin&page=2',
    );
  });

  it('knows its filters and nothing else', () => {
    expect([parseRole('admin'), parseRole('owner'), parseRole(null)]).toEqual(['admin', null, null]);
    expect([parseMessageStatus('spam'), parseMessageStatus('constructor')]).toEqual(['spam', null]);
  });

  it('fills pages', () => {
    expect([0, 1, 20, 21].map((total) => pageCount(total))).toEqual([1, 1, 1, 2]);
  });
});

describe('words', () => {
  it('count', () => {
    expect([counted(0, 'course'), counted(1, 'course'), counted(2400, 'student')]).toEqual([
      '0 courses',
      '1 course',
      '2,400 students',
    ]);
  });

  it('say what deleting does (decision 30)', () => {
    const course = { title: 'T', isActive: true, owners: 0, isKept: false };
    expect(deletionNotice(course)).toContain('removed for good');
    expect(deletionNotice({ ...course, owners: 1, isKept: true })).toBe(
      '1 person owns “T”. It will be hidden from the store, and they keep their access.',
    );
    expect(deletionNotice({ ...course, isActive: false, owners: 1, isKept: true })).toContain('stays hidden');
  });

  it('tell a change, even one that is not known or incomplete', () => {
    expect(changeText({ action: 'role.granted', details: { email: 'a@b.co' } })).toBe(
      'made a@b.co an administrator',
    );
    expect(changeText({ action: 'course.deleted', details: { title: null } })).toBe(
      'deleted the course “(unknown)”',
    );
    expect(changeText({ action: 'certificate.revoked', details: { number: 'C-1' } })).toBe(
      'revoked the certificate C-1',
    );
    expect(changeText({ action: 'moon.landed', details: {} })).toBe('moon.landed');
  });
});
