import { receivePortrait, removePortrait } from '#src/features/authoring/instructors/instructors.server.ts';
import { removePortraitCall, uploadPortraitCall } from '#src/features/authoring/instructors/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  uploadPortraitCall,
  { access: 'user', limit: 'instructor' },
  ({ user, params, request, status }) => {
    status(201);
    return receivePortrait(user, params.id, request);
  },
);

export const DELETE = endpoint(
  removePortraitCall,
  { access: 'user', limit: 'instructor' },
  ({ user, params }) => removePortrait(user, params.id),
);
