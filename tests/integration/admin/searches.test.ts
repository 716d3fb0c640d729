import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db, sqlClient } from '#db/client.ts';
import { makeAdmin, makeCategories, makeCourse, makeUser } from '../../support/factories.ts';
import { missedSearches, searchSynonyms } from '#db/schema/catalogue.ts';
import { changeText } from '#src/features/admin/shell/admin.ts';
import { lastChanges } from '#src/features/admin/operations/audit-log.server.ts';
import { listMissedSearches, listSynonyms } from '#src/features/admin/insights/searches.server.ts';
import { MISSED_PER_DAY_MAX } from '#src/features/catalogue/search/missed-searches.server.ts';
import { listCourses } from '#src/features/catalogue/search/search.server.ts';
import { searchForm } from '#src/features/catalogue/search/search-words.ts';
import { DELETE as remove } from '#src/pages/api/admin/search-synonyms/[id].ts';
import { POST as add } from '#src/pages/api/admin/search-synonyms.ts';
import { callRoute, signIn } from '../../support/api.ts';

let admin: Awaited<ReturnType<typeof makeAdmin>>;
beforeAll(async () => {
  admin = await makeAdmin({ username: 'Grace Hopper' });
  await makeCategories();
  await makeCourse({ title: 'Growing Vegetables', description: 'Soil, seeds and patience.' });
});
beforeEach(async () => {
  await db().delete(missedSearches);
  await db().delete(searchSynonyms);
});

const titles = async (search: string) =>
  (await listCourses({ search, pageSize: 10 })).rows.map(({ title }) => title);
const addAs = async (body: unknown, as = admin) =>
  callRoute(add, { method: 'POST', as: await signIn(as), body });
const removeAs = async (id: number | string, as = admin) =>
  callRoute(remove, { method: 'DELETE', params: { id: String(id) }, as: await signIn(as) });
const missed = () => expect.poll(async () => (await listMissedSearches(1)).searches);

describe('searches that find nothing', () => {
  it('are counted by day and text, with nothing about who searched', async () => {
    await titles('Welding Tools');
    await missed().toMatchObject([{ typed: 'welding tools', searches: 1, closest: 0, means: null }]);
    // Another order of the same list is looked up anew.
    await listCourses({ search: 'welding  tools', pageSize: 11 });
    await missed().toMatchObject([{ typed: 'welding tools', searches: 2 }]);
    await titles('vegetables welding');
    await missed().toMatchObject([{ typed: 'welding tools' }, { typed: 'vegetables welding', searches: 1 }]);
    // Neither is the beginning of a word, nor another word of the same stem, what was asked for.
    await titles('veg');
    await titles('patiently');
    await missed().toMatchObject([
      { typed: 'welding tools' },
      { typed: 'patiently', closest: 1 },
      { typed: 'veg', closest: 1 },
      { typed: 'vegetables welding' },
    ]);
    const columns = await sqlClient()`
      select column_name as name from information_schema.columns where table_name = 'missed_searches'`;
    expect(columns.map(({ name }) => name).sort()).toEqual(['closest', 'day', 'searches', 'typed']);
  });

  it('are not kept where the text may be about a person, nor where a course answers', async () => {
    await titles('ada@example.com');
    await titles('vegetables');
    await titles('zither');
    await missed().toMatchObject([{ typed: 'zither' }]);
  });

  it('are kept up to a number of texts a day; those that are known count on', async () => {
    await sqlClient()`
      insert into missed_searches (day, typed)
      select (now() at time zone 'UTC')::date, 'text ' || n from generate_series(1, ${MISSED_PER_DAY_MAX}::int) as n`;
    await titles('accordion');
    await titles('text 7');
    await expect
      .poll(async () => await sqlClient()`select typed from missed_searches where searches > 1`)
      .toEqual([{ typed: 'text 7' }]);
    const [row] = await sqlClient()`select count(*)::int as texts from missed_searches`;
    expect(row!.texts).toBe(MISSED_PER_DAY_MAX);
    expect((await listMissedSearches(999)).page).toBe(MISSED_PER_DAY_MAX / 20);
  });
});

describe('a synonym', () => {
  it('is added, found by at once, told in the audit log, and taken back', async () => {
    expect(await titles('allotment')).toEqual([]);
    const added = await addAs({ typed: ' Allotments ', means: 'Vegetables' });
    expect([added.status, added.body]).toEqual([201, { message: '“allotments” now finds “vegetables”.' }]);
    expect(await titles('allotment')).toEqual(['Growing Vegetables']);
    const [synonym] = await listSynonyms();
    expect(synonym).toMatchObject({
      typed: 'allotments',
      means: 'vegetables',
      createdByName: 'Grace Hopper',
    });
    const removed = await removeAs(synonym!.id);
    expect([removed.status, removed.body.message]).toEqual([
      200,
      '“allotments” no longer finds “vegetables”.',
    ]);
    expect(await titles('allotment')).toEqual([]);
    expect((await lastChanges(['search_synonym.added', 'search_synonym.removed'])).map(changeText)).toEqual([
      'took back that searches for “allotments” find “vegetables”',
      'let searches for “allotments” find “vegetables”',
    ]);
    expect((await removeAs(synonym!.id)).status).toBe(404);
  });

  it('is refused with the field where it says nothing, leads nowhere or is there already', async () => {
    const refused = async (body: unknown) => {
      const { status, body: answer } = await addAs(body);
      return [status, Object.keys(answer.fields ?? {})];
    };
    expect(await refused({})).toEqual([400, ['typed', 'means']]);
    expect(await refused({ typed: '???', means: 'vegetables' })).toEqual([400, ['typed']]);
    expect(await refused({ typed: 'how to', means: 'vegetables' })).toEqual([400, ['typed']]);
    expect(await refused({ typed: 'allotment', means: 'unicorns' })).toEqual([400, ['means']]);
    expect(await refused({ typed: 'vegetable', means: 'vegetables' })).toEqual([400, ['means']]);
    expect(await refused({ typed: 'x'.repeat(61), means: 'vegetables' })).toEqual([400, ['typed']]);
    expect(await refused({ typed: 'x'.repeat(60), means: 'vegetables' })).toEqual([201, []]);
    expect(await refused({ typed: 'x'.repeat(60), means: 'soil' })).toEqual([409, ['typed']]);
    const both = await Promise.all([
      addAs({ typed: 'greens', means: 'vegetables' }),
      addAs({ typed: 'greens', means: 'soil' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('is for administrators', async () => {
    const student = await makeUser();
    expect((await addAs({ typed: 'a b', means: 'vegetables' }, student)).status).toBe(403);
    expect((await removeAs(1, student)).status).toBe(403);
    expect((await removeAs('x')).status).toBe(404);
  });
});

describe('the search form of a text', () => {
  it('is the same here and in the database, for every Latin letter', async () => {
    const letters = Array.from({ length: 0x180 - 0x41 }, (_, index) =>
      String.fromCodePoint(0x41 + index),
    ).filter((letter) => /\p{L}/u.test(letter));
    const samples = [...letters.map((letter) => `a${letter}b`), 'C++ C# .NET', 'Ａｂ', 'ﬁne'];
    const rows = await sqlClient()<{ sample: string; form: string }[]>`
      select sample, search_form(sample) as form from unnest(${samples}::text[]) as sample`;
    const different = rows.filter(({ sample, form }) => searchForm(sample) !== form);
    expect(different.map(({ sample, form }) => `${sample}: ${form} / ${searchForm(sample)}`)).toEqual([]);
  });
});
