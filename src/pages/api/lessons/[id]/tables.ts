import { lessonTablesCall } from '#src/features/practice/tables/schema.ts';
import { lessonTables } from '#src/features/practice/tables/tables.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(
  lessonTablesCall,
  { access: 'public', limit: 'lesson-tables' },
  async ({ user, params }) => ({ tables: await lessonTables(user, params.id) }),
);
