import { setImmediate } from 'node:timers/promises';
import { createAndProveCourse } from '#src/features/authoring/builder/builder.server.ts';
import { createInteractiveCourseCall } from '#src/features/authoring/builder/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';
import { requireRenderable } from '#src/server/markdown.ts';

export const POST = endpoint(
  createInteractiveCourseCall,
  { access: 'admin' },
  async ({ actor, input, status }) => {
    requireRenderable('description', 'Description', input.description);
    for (const [index, { instructions }] of input.lessons.entries()) {
      requireRenderable(`lessons.${index}.instructions`, `Instructions of lesson ${index + 1}`, instructions);
      // Others have their turn between two lessons.
      await setImmediate();
    }
    status(201);
    return createAndProveCourse(actor, input);
  },
);
