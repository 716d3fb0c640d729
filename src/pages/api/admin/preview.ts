import { previewCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';
import { renderMarkdown, requireRenderable } from '#src/server/markdown.ts';

export const POST = endpoint(previewCall, { access: 'admin' }, async ({ input }) => {
  requireRenderable('content', 'Content', input.content);
  return { html: renderMarkdown(input.content) };
});
