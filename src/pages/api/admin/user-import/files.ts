import { importPeople } from '#src/features/admin/people/people-import.server.ts';
import { importPeopleCall } from '#src/features/admin/people/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  importPeopleCall,
  { access: 'admin', limit: 'user-import' },
  ({ actor, request }) => importPeople(actor, request),
);
