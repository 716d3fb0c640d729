import { duplicateCourse } from '#src/features/authoring/transfer/copies.server.ts';
import { duplicateCourseCall } from '#src/features/authoring/courses/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(duplicateCourseCall, { access: 'admin' }, ({ actor, params, status }) => {
  status(201);
  return duplicateCourse(actor, params.id);
});
