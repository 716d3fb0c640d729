import { z } from 'zod';
import { courseParams, version } from '#src/features/authoring/courses/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { idInPath, line, text } from '#src/shared/fields.ts';

export const NEWS_MAX = { title: 120, body: 10_000 };

export const newsInput = z.object({
  title: line('Title', { max: NEWS_MAX.title }),
  body: text('Text', { max: NEWS_MAX.body }),
});
const params = z.object({ id: idInPath('News id') });
const draft = z.object({ id: z.number(), title: z.string(), body: z.string(), version: z.number() });

/** Saves a draft. */
export const writeNewsCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/news',
  params: courseParams,
  input: newsInput,
  output: draft,
});

/** 409 for sent news, or after a colleague's change. */
export const changeNewsCall = contract({
  method: 'PUT',
  path: '/api/admin/news/{id}',
  params,
  input: newsInput.extend({ version }),
  output: draft,
});

/** Mails that went out stay. */
export const deleteNewsCall = contract({
  method: 'DELETE',
  path: '/api/admin/news/{id}',
  params,
  output: z.object({ deleted: z.literal(true) }),
});

/** Once, in the given `version`. */
export const sendNewsCall = contract({
  method: 'POST',
  path: '/api/admin/news/{id}/send',
  params,
  input: z.object({ version }),
  output: z.object({ id: z.number(), sentAt: z.string(), mails: z.number() }),
});
