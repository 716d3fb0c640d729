import { saveNotes } from '#src/features/learn/notes/notes.server.ts';
import { saveNotesCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(saveNotesCall, { access: 'user' }, ({ user, params, input }) =>
  saveNotes(user.id, params.id, input),
);
