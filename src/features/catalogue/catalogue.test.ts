import { describe, expect, it } from 'vitest';
import { isSafeAddress, sizeInKb, fileName } from '#src/features/lessons/addresses.ts';
import {
  catalogueHref,
  courseFacts,
  chipsOf,
  foundText,
  groupBySection,
  facetsOf,
  labelWithCount,
  parseCatalogueQuery,
  sortLabel,
  toldApart,
  unknownChips,
} from './catalogue.ts';
import { cleanSearch, SEARCH_MAX } from '#src/shared/list-query.ts';
import { percentOf, ratingCountText, summarise } from './ratings/ratings.ts';

const categories = [
  { id: 1, name: 'Programming' },
  { id: 2, name: 'Business' },
];
const parse = (query: string) => parseCatalogueQuery(new URLSearchParams(query), categories);
const defaults = { search: '', category: null, level: null, sort: 'popular', page: 1 };

it('tells courses of the same name apart by their numbers', () => {
  const titles = toldApart(['SQL', 'Go', 'SQL'].map((title, id) => ({ id, title }))).map(
    ({ title }) => title,
  );
  expect(titles).toEqual(['SQL (#0)', 'Go', 'SQL (#2)']);
});

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

  it('call the default order by what it is', () => {
    expect(sortLabel('popular', '')).toBe('Popular');
    expect(sortLabel('popular', 'sql')).toBe('Most relevant');
    expect(sortLabel('price-low', 'sql')).toBe('Price: Low to High');
  });

  it('say what the address asks for in vain, and lead to what is shown', () => {
    const unknown = (query: string) =>
      unknownChips(new URLSearchParams(query), parse(query)).map(({ label, removeHref }) => [
        label,
        removeHref,
      ]);
    expect(unknown('category=99&level=expert&sort=cheapest&page=0x1&search=sql')).toEqual([
      ['No category “99”', '/courses?search=sql'],
      ['No level “expert”', '/courses?search=sql'],
      ['No sort “cheapest”', '/courses?search=sql'],
      ['No page “0x1”', '/courses?search=sql'],
    ]);
    expect(unknown('category=1&level=ALL&sort=Popular&page=1')).toEqual([]);
    expect(unknown('category=&level=&sort=&page=')).toEqual([]);
    expect(unknown(`sort=${'x'.repeat(9000)}`)).toEqual([[`No sort “${'x'.repeat(24)}…”`, '/courses']]);
    // A page past the end: the first is shown instead.
    const past = unknownChips(new URLSearchParams('page=900'), parse(''));
    expect(past.map(({ label }) => label)).toEqual(['No page “900”']);
  });

  it('are absent at the defaults', () => {
    expect(chipsOf(parse('page=2'), categories)).toEqual([]);
  });
});

describe('counts beside the filters', () => {
  it('are those that choosing the filter would find', () => {
    const counts = [
      { categoryId: 1, level: 'beginner' as const, courses: 3 },
      { categoryId: 1, level: 'advanced' as const, courses: 2 },
      { categoryId: 2, level: 'beginner' as const, courses: 5 },
    ];
    const all = facetsOf(counts, { category: null, level: null });
    expect([all.category(1), all.category(2), all.category(9), all.level('beginner')]).toEqual([5, 5, 0, 8]);
    const narrowed = facetsOf(counts, { category: 1, level: 'advanced' });
    expect([narrowed.category(1), narrowed.category(2), narrowed.level('beginner')]).toEqual([2, 0, 3]);
    expect(labelWithCount('Design', 1204)).toBe('Design (1,204)');
  });
});

describe('ratings', () => {
  it('are summed up with two decimals, from five stars to one', () => {
    expect(summarise(new Map())).toMatchObject({ rating: 0, count: 0 });
    const summary = summarise(
      new Map([
        [5, 2],
        [3, 1],
      ]),
    );
    expect([summary.rating, summary.count]).toEqual([4.33, 3]);
    expect(summary.distribution.map(({ stars, count }) => [stars, count])).toEqual([
      [5, 2],
      [4, 0],
      [3, 1],
      [2, 0],
      [1, 0],
    ]);
    expect([percentOf(1, 3), percentOf(0, 0), ratingCountText(1), ratingCountText(1200)]).toEqual([
      33,
      0,
      '1 review',
      '1,200 reviews',
    ]);
  });
});

describe('the name of a file', () => {
  it.each([
    ['/files/ab/100%.pdf', '100%.pdf'],
    ['https://cdn.example.com/a/Caf%C3%A9%20menu.pdf?v=2', 'Café menu.pdf'],
  ])('of %s is %s', (address, name) => {
    expect(fileName(address)).toBe(name);
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
