import { writeNews } from '#src/features/authoring/news/news.server.ts';
import { writeNewsCall } from '#src/features/authoring/news/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  writeNewsCall,
  { access: staffOf('course', 'author') },
  async ({ actor, params, input, status }) => {
    const made = await writeNews(actor, params.id, input);
    status(201);
    return made;
  },
);
