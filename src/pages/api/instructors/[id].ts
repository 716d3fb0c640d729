import { saveInstructor } from '#src/features/authoring/instructors/instructors.server.ts';
import { saveInstructorCall } from '#src/features/authoring/instructors/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(
  saveInstructorCall,
  { access: 'user', limit: 'instructor' },
  ({ user, params, input }) => saveInstructor(user, params.id, input),
);
