import { setSeatPricesCall } from '#src/features/organisations/schema.ts';
import { setSeatPriceSteps } from '#src/features/store/seats/seats.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(setSeatPricesCall, { access: 'admin' }, ({ actor, input }) =>
  setSeatPriceSteps(actor, input.steps),
);
