import { getCourseModel } from '#src/features/catalogue/catalogue.server.ts';
import { getCourseCall } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(getCourseCall, { access: 'public' }, ({ params, user }) =>
  getCourseModel(params.id, user),
);
