import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { newestFirst } from './newest-first.ts';
import { articleSchema } from './stories.ts';

const CONTENT = new URL('../../../content/', import.meta.url);

async function heads<T>(
  folder: 'cases' | 'insights',
  schema: z.ZodType<T>,
): Promise<{ id: string; data: T }[]> {
  const files = (await readdir(new URL(folder, CONTENT))).filter((name) => name.endsWith('.md'));
  return Promise.all(
    files.map(async (name) => {
      const [, head = ''] = (await readFile(new URL(`${folder}/${name}`, CONTENT), 'utf8')).split(
        /^---\s*$/m,
      );
      return {
        id: name.replace(/\.md$/, ''),
        data: schema.parse(parse(head, { customTags: ['timestamp'] })),
      };
    }),
  );
}

/** For endpoints, which have no Astro content. */
export const listArticles = async () => newestFirst(await heads('insights', articleSchema));

/** For endpoints, which have no Astro content. */
export const listCases = async () => newestFirst(await heads('cases', z.object({ published: z.date() })));

/** From `insights.yaml`. */
export const articleList = async () =>
  z
    .object({ title: z.string(), description: z.string() })
    .parse(parse(await readFile(new URL('insights.yaml', CONTENT), 'utf8')));
