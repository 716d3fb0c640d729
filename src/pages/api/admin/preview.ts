import { previewCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { someAuthor } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';
import { renderMarkdown, requireRenderable } from '#src/server/markdown.ts';

export const POST = endpoint(previewCall, { access: someAuthor }, async ({ input }) => {
  requireRenderable('content', 'Content', input.content);
  return { html: renderMarkdown(input.content) };
});
