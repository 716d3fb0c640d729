import { z } from 'zod';
import { scenarios } from '#db/schema/scenario.ts';
import {
  frontMatter,
  lessonFormat,
  level,
  line,
  text,
  yamlOf,
} from '#src/features/lessons/lesson-format.server.ts';
import { scenarioDefinition } from '#src/features/scenario/scenario.ts';
import { scenario } from './definition.ts';

const scenarioFile = z
  .looseObject({
    title: line(200),
    description: text(20_000),
    type: z.enum(
      scenarios.scenarioType.enumValues,
      `must be one of ${scenarios.scenarioType.enumValues.join(', ')}`,
    ),
    difficulty: level.default('intermediate'),
    timeLimit: z.int('must be a whole number of minutes').min(1).max(1440),
    state: z.record(z.string(), z.unknown(), 'must be a mapping'),
    goals: z.array(z.record(z.string(), z.unknown()), 'must be a list'),
    resources: z.array(z.record(z.string(), z.unknown())).default([]),
  })
  .superRefine((written, context) => {
    for (const { path, message } of scenarioDefinition.safeParse(written).error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: path.length > 0 ? path : ['title'], message });
    }
  });

const KEY_ORDER =
  'id title description type difficulty timeLimit state panels goals rules events resources synonyms label value unit tone facts weight required after phrases needs unless when op path effects feedback blocked minutes penalty once ends'.split(
    ' ',
  );

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const rank = (key: string) => (KEY_ORDER.includes(key) ? KEY_ORDER.indexOf(key) : KEY_ORDER.length);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
      .map(([key, part]) => [key, inOrder(part)]),
  );
}

export const scenarioFormat = lessonFormat({
  type: scenario.name,
  front: frontMatter(scenario.name, {
    scenario: z
      .string('must be a file name')
      .regex(/^[\w-]{1,120}\.yaml$/, 'must be a plain file name, without folders'),
  }),
  labels: { definition: 'Scenario' },
  async read({ scenario: file }, files) {
    const definition = await files.yaml(`scenarios/${file}`, scenarioFile);
    return definition && { definition };
  },
  write: ({ name, definition }) => ({
    keys: { scenario: `${name}.yaml` },
    files: { [`scenarios/${name}.yaml`]: yamlOf(inOrder(definition)) },
  }),
  columns: ({ definition }) => ({ scenario: definition }),
  fromRow: (_, { definition }) => ({ definition: (definition ?? {}) as z.output<typeof scenarioFile> }),
});
