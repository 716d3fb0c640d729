import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readings } from '#src/features/admin/operations/health.server.ts';
import { createMetrics } from '#src/server/metrics.ts';

const file = resolve(import.meta.dirname, '../../../deploy/alerts.yml');
type Rule = { alert: string; expr: string; for: string; annotations: Record<string, string> };
const { groups } = parse(readFileSync(file, 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

/** The series of an expression: a name, and its labels with how each is compared. */
function series(expr: string) {
  return [...expr.matchAll(/\b((?:academy|http|process)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name, labels = '']) => ({
      name: name!,
      labels: [...labels.matchAll(/(\w+)(=~|=)"([^"]*)"/g)].map(([, label, how, value]) => ({
        label: label!,
        values: how === '=~' ? value!.split('|') : [value!],
      })),
    }),
  );
}

it('there are ten alerts, each of series and labels that /metrics gives, with what to do', async () => {
  const metrics = createMetrics({ token: 'word', read: readings });
  metrics.observe({ method: 'GET', route: '/', status: 500, ms: 5 });
  const { body } = await metrics.render();
  const given = body.split('\n').filter((line) => line && !line.startsWith('#'));
  const has = (name: string, label?: string, value?: string) =>
    given.some(
      (line) =>
        (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) &&
        (!label || new RegExp(`[{,]${label}="${value}"`).test(line)),
    );
  expect(rules).toHaveLength(10);
  for (const { alert, expr, for: lasts, annotations } of rules) {
    expect(lasts, alert).toMatch(/^\d+[mh]$/);
    expect(annotations, alert).toEqual({ summary: expect.any(String), action: expect.any(String) });
    const used = series(expr);
    expect(used, alert).not.toEqual([]);
    for (const { name, labels } of used) {
      expect(has(name), `${alert}: ${name}`).toBe(true);
      for (const { label, values } of labels) {
        for (const value of values)
          expect(has(name, label, value), `${alert}: ${name} ${label}="${value}"`).toBe(true);
      }
    }
  }
  // A series that there is not would be noticed.
  expect(has('academy_part_states')).toBe(false);
  expect(has('academy_part_state', 'part', 'Databases')).toBe(false);
});
