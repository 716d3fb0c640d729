import { AsyncLocalStorage } from 'node:async_hooks';
import type postgres from 'postgres';

type Unsafe = postgres.Sql['unsafe'];
type Values = NonNullable<Parameters<Unsafe>[1]>;

interface Asked extends PromiseWithResolvers<unknown> {
  query: string;
  values: Values;
  isOfArrays: boolean;
}

const turns = new AsyncLocalStorage<{ list: Asked[]; first: (() => unknown) | undefined }>();

/**
 * Selects that `work` asks for in one turn of the event loop are one statement; a numeric loses its last zeros.
 * @param first asks for what goes with the first of them
 */
export const together = <T>(work: () => T, first?: () => unknown): T => turns.run({ list: [], first }, work);

export const joining = (unsafe: Unsafe) => (query: string, values?: Values, options?: object) => {
  const turn = turns.getStore();
  // Most that begin with `with` are statistics, which are faster side by side.
  if (!turn || !/^\s*select\b/.test(query)) return unsafe(query, values, options);
  const { list } = turn;
  const ask = (isOfArrays: boolean) => {
    const one = { query, values: values ?? [], isOfArrays, ...Promise.withResolvers<unknown>() };
    if (list.push(one) === 1) setImmediate(() => answer(list.splice(0), unsafe));
    const { first } = turn;
    turn.first = undefined;
    first?.();
    return one.promise;
  };
  const then: Promise<unknown>['then'] = (done, failed) => ask(false).then(done, failed);
  return { values: () => ask(true), then };
};

function answer(list: Asked[], unsafe: Unsafe): void {
  const values: Values = [];
  const parts = list.map((one) => {
    const text = one.query
      .replace(/;$/, '')
      .replaceAll(/\$(\d+)/g, (_, n) => `$${Number(n) + values.length}`);
    values.push(...one.values);
    // A JavaScript object would lose columns of one name.
    const row = one.isOfArrays ? '(select json_agg(value) from json_each(row_to_json(one)))' : 'one';
    return `(select json_agg(${row}) from (${text}) one)`;
  });
  unsafe(`select ${parts.join(', ')}`, values)
    .values()
    .then(
      ([row]) => {
        for (const [i, { resolve }] of list.entries()) resolve(row![i] ?? []);
      },
      (error) => {
        for (const { reject } of list) reject(error);
      },
    );
}
