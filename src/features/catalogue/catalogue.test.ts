import { describe, expect, it } from 'vitest';
import {
  catalogueHref,
  courseFacts,
  chipsOf,
  cleanSearch,
  foundText,
  groupBySection,
  isSafeAddress,
  parseCatalogueQuery,
  SEARCH_MAX,
  sizeInKb,
} from './catalogue.ts';

const categories = [
  { id: 1, name: 'Programming' },
  { id: 2, name: 'Business' },
];
const parse = (query: string) => parseCatalogueQuery(new URLSearchParams(query), categories);
const defaults = { search: '', category: null, level: null, sort: 'popular', page: 1 };

describe('the address of the catalogue', () => {
  it('is read in full', () => {
    expect(parse('search=%20SQL%20basics&category=2&level=Advanced&sort=price-low&page=3')).toEqual({
      search: 'SQL basics',
      category: 2,
      level: 'advanced',
      sort: 'price-low',
      page: 3,
    });
  });

  it.each([
    ['category=99'],
    ['category=1e0'],
    ['category=-1'],
    ['category=2147483648'],
    ['category=abc'],
    ['level=all'],
    ['level=expert'],
    ['sort=price%3B+drop+table+courses'],
    ['sort=__proto__'],
    ['sort=constructor'],
    ['page=0'],
    ['page=1.5'],
    [`page=${'9'.repeat(10_000)}`],
  ])('takes the default for %.40s (N1, N3)', (query) => {
    expect(parse(query)).toEqual(defaults);
  });

  it('has one form per state and survives a round trip', () => {
    const query = parse('page=2&sort=newest&level=beginner&category=1&search=a%26b%3Dc');
    const href = catalogueHref(query);
    expect(href).toBe('/courses?search=a%26b%3Dc&category=1&level=beginner&sort=newest&page=2');
    expect(parse(href.split('?')[1]!)).toEqual(query);
    expect(catalogueHref(parse(''))).toBe('/courses');
  });
});

describe('a search', () => {
  it('loses control characters and what lies beyond its length, and nothing else (N2, N4)', () => {
    expect(cleanSearch('a\0b\u0007c\r\nd')).toBe('a b c d');
    expect(cleanSearch('\ud800x')).toBe('x');
    expect([...cleanSearch('😀'.repeat(5000))]).toHaveLength(SEARCH_MAX);
    expect(cleanSearch("100% 'or' 1=1 --")).toBe("100% 'or' 1=1 --");
  });
});

describe('chips', () => {
  it('name each active filter and lead to the first page without it', () => {
    const chips = chipsOf(parse('search=sql&category=1&level=beginner&sort=rating&page=4'), categories);
    expect(chips.map(({ kind, label }) => [kind, label])).toEqual([
      ['search', '“sql”'],
      ['category', 'Programming'],
      ['level', 'Beginner'],
      ['sort', 'Sorted by rating'],
    ]);
    expect(chips[1]!.removeHref).toBe('/courses?search=sql&level=beginner&sort=rating');
  });

  it('are absent at the defaults', () => {
    expect(chipsOf(parse('page=2'), categories)).toEqual([]);
  });
});

describe('texts', () => {
  it('count as the specification writes it', () => {
    expect([0, 1, 12].map(foundText)).toEqual([
      '0 course(s) found',
      '1 course(s) found',
      '12 course(s) found',
    ]);
  });

  it('leave out the facts that nobody knows yet', () => {
    const course = { duration: '4 hours', rating: 0, reviewCount: 0, studentsCount: 0 };
    expect(courseFacts(course)).toEqual(['4 hours']);
    expect(courseFacts({ ...course, rating: 4.666, reviewCount: 3, studentsCount: 1200 })).toEqual([
      '4 hours',
      '4.7 ★ (3)',
      '1,200 students',
    ]);
  });

  it('give sizes in KB, rounded', () => {
    expect([0, 511, 512, 1536, 2_000_000].map(sizeInKb)).toEqual([
      '0 KB',
      '0 KB',
      '1 KB',
      '2 KB',
      '1,953 KB',
    ]);
  });

  it('group neighbours of one section', () => {
    const groups = groupBySection(['a', 'a', 'b', 'a'].map((section, id) => ({ section, id })));
    expect(groups.map(({ section, lessons }) => [section, lessons.length])).toEqual([
      ['a', 2],
      ['b', 1],
      ['a', 1],
    ]);
  });
});

describe('addresses in courses (U2)', () => {
  it.each(['/media/abc/x.svg', '/files/a/b.pdf', 'https://cdn.example.com/a.png?x=1'])(
    'may be %s',
    (value) => {
      expect(isSafeAddress(value)).toBe(true);
    },
  );

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'http://169.254.169.254/latest',
    'https://169.254.169.254/latest',
    'https://2852039166/',
    'https://[::1]/',
    'https://localhost/',
    'https://user:pass@example.com/',
    '//evil.test/x',
    '/\\evil.test/x',
    'evil.test',
    '',
    '/a\0b',
  ])('may not be %j', (value) => {
    expect(isSafeAddress(value)).toBe(false);
  });
});
