import { endpoint } from '#src/server/endpoint.ts';
import { observePageVitals, pageVitalsCall } from '#src/server/page-vitals.ts';

export const POST = endpoint(
  pageVitalsCall,
  { access: 'user', limit: 'page-vitals' },
  async ({ input, status }) => {
    status(204);
    observePageVitals(input);
    return undefined;
  },
);
