import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db, sqlClient } from '#db/client.ts';
import { makeCategories, makeCourse, makeLesson } from '../../support/factories.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { seedScale } from '../../support/seed-scale.ts';
import type { CourseFilter } from '#src/features/catalogue/search/search.server.ts';
import { listCourses, pageOfCourses } from '#src/features/catalogue/search/search.server.ts';
import { coursesWithAll, readSearch } from '#src/features/catalogue/search/search-match.server.ts';
import { suggestedCourses } from '#src/features/catalogue/search/suggestions.server.ts';
import * as suggestionsRoute from '#src/pages/api/suggestions.ts';
import { callRoute } from '../../support/api.ts';

const find = async (search: string, filter: Partial<CourseFilter> = {}) => {
  const found = await listCourses({ pageSize: 100, search, ...filter });
  return { ...found, titles: found.rows.map(({ title }) => title) };
};
const suggest = async (search: string) =>
  (await callRoute(suggestionsRoute.GET, { path: `/api/suggestions?search=${encodeURIComponent(search)}` }))
    .body;

let python = 0;

beforeAll(async () => {
  await makeCategories();
  ({ id: python } = await makeCourse({
    title: 'Python for Everyone',
    description: 'Automate reports with scripts and charts.',
    studentsCount: 10,
  }));
  await makeCourse({
    title: 'Reports that People Read',
    description: 'Some examples are in Python.',
    categoryId: 2,
    studentsCount: 900,
    level: 'advanced',
  });
  await makeCourse({ title: 'Résumés and Café Menus', description: 'Layout.', categoryId: 3 });
  await makeCourse({ title: 'C++ at Work', description: 'Templates.', level: 'intermediate' });
  await makeCourse({ title: 'C# at Work', description: 'Services.' });
  await makeCourse({ title: 'Hidden Python', isActive: false });
});

describe('a search', () => {
  it('finds courses with all of its words, in any form, case and with or without accents', async () => {
    expect((await find('automating REPORT')).titles[0]).toBe('Python for Everyone');
    expect((await find('python reports')).total).toBe(2);
    expect((await find('resumes cafe')).titles).toEqual(['Résumés and Café Menus']);
    expect((await find('RÉSUMÉ')).titles).toEqual(['Résumés and Café Menus']);
  });

  it('puts courses with the words in the title first, whatever their popularity', async () => {
    expect((await find('python')).titles).toEqual(['Python for Everyone', 'Reports that People Read']);
    expect((await find('python', { sort: 'newest' })).titles[0]).toBe('Reports that People Read');
  });

  it('finds a category by its name, and beginnings of words', async () => {
    expect((await find('design')).titles).toEqual(['Résumés and Café Menus']);
    expect((await find('pyth every')).titles[0]).toBe('Python for Everyone');
    expect((await find('the')).titles).toEqual([]);
    expect((await find('for everyone')).titles).toEqual(['Python for Everyone']);
    expect((await find('how do i learn python')).titles).toEqual((await find('python')).titles);
  });

  it('tells C++ from C#', async () => {
    expect((await find('c++')).titles).toEqual(['C++ at Work']);
    expect((await find('C#')).titles).toEqual(['C# at Work']);
  });

  it('understands mistyped words and says what it looked for', async () => {
    const found = await find('pyhton');
    expect([found.titles[0], found.reading.corrected]).toEqual(['Python for Everyone', 'python']);
    expect((await find('pyhton reprots')).titles[0]).toBe('Python for Everyone');
    expect((await find('python')).reading.corrected).toBeNull();
    expect(await find('qqqqzzzz')).toMatchObject({ total: 0, reading: { corrected: null }, titles: [] });
  });

  it('lists the closest where few have all, says so, and counts what it lists', async () => {
    const some = await find('python menus');
    expect(some.reading.withAll).toBe(0);
    expect(some.titles.slice(0, 2).sort()).toEqual(['Python for Everyone', 'Reports that People Read']);
    expect(some.counts.reduce((sum, { courses: count }) => sum + count, 0)).toBe(some.total);
    expect(some.rows).toHaveLength(some.total);
    expect((await find('python for everyone with charts')).reading.withAll).toBe(1);
    expect((await find('python')).reading.withAll).toBeNull();
  });

  it('claims nothing where no course is near', async () => {
    // Both words are known, and no course has enough of them.
    for (const search of ['menus services', 'examples services'])
      expect(await listCourses({ search, pageSize: 5 })).toMatchObject({ counts: [], total: 0 });
    for (const search of [
      'welding',
      'welding for beginners',
      'free welding exercises',
      'how to weld metal',
    ]) {
      expect(await find(search)).toMatchObject({ total: 0, titles: [], counts: [] });
    }
  });

  it('finds a course by its lessons, their languages and kinds, and by its level', async () => {
    const { id } = await makeCourse({
      title: 'Small Tasks',
      description: 'Twelve of them.',
      level: 'advanced',
    });
    expect((await find('python exercises')).titles).not.toContain('Small Tasks');
    const lesson = await makeLesson(id, {
      title: 'Dictionaries',
      type: 'interactive_coding',
      codingLanguage: 'python',
    });
    expect((await find('python exercises')).titles).toContain('Small Tasks');
    expect((await find('dictionary')).rows[0]).toMatchObject({
      title: 'Small Tasks',
      foundIn: 'Lesson: Dictionaries',
    });
    expect((await find('advanced coding exercise')).titles[0]).toBe('Small Tasks');
    await db()
      .update(lessons)
      .set({ title: 'Sets', codingLanguage: 'javascript' })
      .where(eq(lessons.id, lesson.id));
    expect((await find('dictionaries')).titles).toEqual([]);
    expect((await find('js')).titles).toEqual(['Small Tasks']);
    await db().delete(lessons).where(eq(lessons.id, lesson.id));
    expect((await find('js')).titles).toEqual([]);
    await db().delete(courses).where(eq(courses.id, id));
  });

  it('understands two words as one and one as two', async () => {
    const { id } = await makeCourse({ title: 'Spreadsheet Models', description: 'With cash flow.' });
    expect((await find('spread sheet models')).titles).toEqual(['Spreadsheet Models']);
    expect((await find('cashflow')).titles).toEqual(['Spreadsheet Models']);
    await db().delete(courses).where(eq(courses.id, id));
  });

  it('counts what it matches by category and level, whatever the filters say', async () => {
    const counts = [
      { categoryId: 1, level: 'beginner', courses: 1 },
      { categoryId: 2, level: 'advanced', courses: 1 },
    ];
    const all = await find('python');
    expect(all.counts.toSorted((a, b) => a.categoryId - b.categoryId)).toEqual(counts);
    const narrowed = await find('python', { level: 'advanced' });
    expect([narrowed.total, narrowed.titles]).toEqual([1, ['Reports that People Read']]);
    expect(narrowed.counts).toHaveLength(2);
  });

  it('is never older than the last change of a course', async () => {
    const show = (isActive: boolean) => db().update(courses).set({ isActive }).where(eq(courses.id, python));
    expect((await find('python')).total).toBe(2);
    await show(false);
    expect((await find('python')).titles).toEqual(['Reports that People Read']);
    await show(true);
    expect((await find('python')).total).toBe(2);
    await db().update(courses).set({ title: 'Serpents for Everyone' }).where(eq(courses.id, python));
    expect((await find('serpents')).titles).toEqual(['Serpents for Everyone']);
    expect((await find('python')).titles).toEqual(['Reports that People Read']);
    await db().update(courses).set({ title: 'Python for Everyone' }).where(eq(courses.id, python));
  });

  it('is harmless whatever it says: 10 KB, tsquery and regex syntax, SQL, control characters (N1, N2, N4)', async () => {
    for (const search of [
      'x'.repeat(10_240),
      'word '.repeat(2000),
      "a'b''c",
      "'; drop table courses; --",
      'python & !everyone | (',
      'python:*A',
      '<-> <2>',
      '(((((((((',
      '.*+?^$ {}()|[]\\',
      '%_%',
      'a\u0007b\u001bc\u202e',
      '\u{1F600}'.repeat(300),
      '|||',
      'ﷺ ß ǅ İ',
    ]) {
      const found = await find(search);
      expect(found.total).toBeGreaterThanOrEqual(0);
      await suggest(search.replaceAll('\0', ''));
    }
    expect((await find('')).total).toBe(5);
  });

  it('puts the course that is called what was typed before all others', async () => {
    // "Fundamentals" is said of every course for beginners.
    await makeCourse({ title: 'Pottery by Practice', level: 'beginner', studentsCount: 70 });
    await makeCourse({ title: 'Pottery Fundamentals', level: 'beginner', studentsCount: 1 });
    await makeCourse({ title: 'Pottery Fundamentals, Continued', level: 'beginner', studentsCount: 80 });
    expect((await find('pottery  FUNDAMENTALS')).titles[0]).toBe('Pottery Fundamentals');
    expect((await find('pottery fundamentals', { sort: 'newest' })).titles[0]).toBe(
      'Pottery Fundamentals, Continued',
    );
  });
});

describe('a word of one letter', () => {
  beforeAll(async () => {
    for (const title of [
      'R for Statistics',
      'Vitamin C and Vitamin D',
      'Plan B When Projects Fail',
      'F# in Production',
      'Objective-C for Old Apps',
      'C by Example',
      'D Language Tour',
    ])
      await makeCourse({ title, description: 'See class a, part t and group m.' });
  });

  it.each([
    ['R', ['R for Statistics']],
    ['r statistics', ['R for Statistics']],
    ['learn R', ['R for Statistics']],
    ['vitamin c', ['Vitamin C and Vitamin D']],
    ['vitamin d', ['Vitamin C and Vitamin D']],
    ['plan b', ['Plan B When Projects Fail']],
    ['F#', ['F# in Production']],
    ['Objective-C', ['Objective-C for Old Apps']],
    ['objective c', ['Objective-C for Old Apps']],
    ['objectivec', ['Objective-C for Old Apps']],
    ['D language', ['D Language Tour']],
    ['cpp', ['C++ at Work']],
    ['c plus plus', ['C++ at Work']],
    ['c sharp', ['C# at Work']],
  ])('finds what is called so: %s', async (search, titles) => {
    expect((await find(search)).titles.slice(0, titles.length)).toEqual(titles);
  });

  it('leaves C, C++ and C# apart, and finds all that are named', async () => {
    expect((await find('c/c++')).titles).toEqual(expect.arrayContaining(['C++ at Work']));
    expect((await find('c')).titles[0]).toBe('C by Example');
    expect((await find('c')).titles).not.toContain('C# at Work');
  });
});

describe('suggestions', () => {
  it('are courses by title and categories by name, as far as they are typed', async () => {
    expect((await suggest('py')).courses).toEqual([{ id: python, title: 'Python for Everyone' }]);
    expect((await suggest('reports peo')).courses).toHaveLength(1);
    expect(await suggest('progr')).toEqual({
      courses: [],
      categories: [{ id: 1, name: 'Programming', courses: expect.any(Number) }],
    });
    expect(await suggest('  ')).toEqual({ courses: [], categories: [] });
  });

  it('make up for mistyped words, and refuse what cannot be stored', async () => {
    expect((await suggest('pyhton')).courses.length).toBeGreaterThan(0);
    const refused = await callRoute(suggestionsRoute.GET, { path: '/api/suggestions?search=a%00' });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_input']);
  });
});

describe('with thousands of courses', () => {
  beforeAll(async () => {
    await db().delete(courses);
    expect(await seedScale(3000)).toBe(3000);
  }, 120_000);

  const page = {
    search: '',
    category: null,
    level: null,
    sort: 'popular',
    page: 1,
    pageSize: 24,
    includeHidden: false,
  } as const;
  const planOf = async (query: ReturnType<typeof pageOfCourses>) => {
    const text = await sqlClient()`explain ${query}`;
    return text.map((row) => row['QUERY PLAN']).join('\n');
  };

  it('generates titles worth the name, a long tail, and ratings that reviews add up to', async () => {
    expect(await seedScale(3000)).toBe(0);
    const [facts] = await sqlClient()`
      select count(distinct title)::int as titles, max(students_count) as most,
        percentile_cont(0.5) within group (order by students_count)::float8 as median,
        count(*) filter (where courses.rating <> coalesce(sums.rating, 0) or review_count <> coalesce(sums.reviews, 0))::int as wrong
      from courses
      left join (
        select course_id, round(avg(rating), 2) as rating, count(*) as reviews from course_reviews group by 1
      ) as sums on sums.course_id = courses.id`;
    expect(facts!.titles).toBeGreaterThan(2000);
    expect(facts!.most).toBeGreaterThan(100 * facts!.median);
    expect(facts!.wrong).toBe(0);
  });

  it('keeps totals by category and level that are right', async () => {
    const counted = await sqlClient()`
      select category_id, level, count(*)::int as courses from courses where is_active group by 1, 2 order by 1, 2`;
    expect(await sqlClient()`select * from course_counts where courses > 0 order by 1, 2`).toEqual(counted);
  });

  it('reads each order and filter from its index alone, also far down', async () => {
    const indexes = {
      popular: 'courses_popular_idx',
      rating: 'courses_rating_idx',
      newest: 'courses_newest_idx',
      'price-low': 'courses_price_idx',
      'price-high': 'courses_price_idx',
    } as const;
    for (const [sort, index] of Object.entries(indexes)) {
      for (const number of [1, 100]) {
        const plan = await planOf(
          pageOfCourses({ ...page, sort: sort as keyof typeof indexes, page: number }),
        );
        expect(plan).toContain(index);
        expect(plan).not.toMatch(/Seq Scan|Sort/);
      }
    }
    expect(await planOf(pageOfCourses({ ...page, category: 3 }))).toContain('courses_category_idx');
    expect(await planOf(pageOfCourses({ ...page, level: 'advanced', sort: 'rating' }))).toContain(
      'courses_rating_idx',
    );
  });

  it('searches, corrects and suggests by index', async () => {
    for (const search of ['python projects', 'pyhton projects', 'js for beginners']) {
      const { concepts } = await readSearch(search);
      const decisive = concepts.filter(({ isAside }) => !isAside);
      const plan = await planOf(
        coursesWithAll(
          decisive,
          concepts.filter(({ isAside }) => isAside),
          page,
          sqlClient()`(select array_agg(id) from page) as ids`,
        ) as never,
      );
      expect(plan).toContain('courses_search_idx');
      expect(plan).not.toContain('Seq Scan on courses');
    }
    const plan = await planOf(suggestedCourses("'pyth':*A") as never);
    expect(plan).toContain('courses_search_idx');
    await sqlClient()`insert into search_words (word) select md5(n::text) from generate_series(1, 12000) as n`;
    await sqlClient()`vacuum (analyze) search_words`;
    const near = await sqlClient()`
      explain select word from search_words where word % 'pyhton'`;
    expect(JSON.stringify(near)).toContain('search_words_trigrams_idx');
  });

  it('shows each course of a deep list once, and the same total on every page', async () => {
    const seen = new Set<number>();
    let rows = 0;
    for (let number = 55; number <= 60; number += 1) {
      const list = await listCourses({ pageSize: 24, page: number, sort: 'price-high' });
      expect(list.total).toBe(3000);
      rows += list.rows.length;
      for (const { id } of list.rows) seen.add(id);
    }
    expect(seen.size).toBe(rows);
  });
});
