import { endpoint } from '#src/server/endpoint.ts';
import { observePageVitals, pageVitalsCall } from '#src/server/rendering/page-vitals.ts';
import { AppError } from '#src/shared/errors.ts';

/** The patterns of all pages. A release has none of their files, so they are named when it is built. */
const ROUTES = new Set(
  Object.keys(import.meta.glob('../**/*.astro')).map(
    (file) =>
      `/${file
        .slice(3)
        .replace(/(^|\/)index\.astro$/, '')
        .replace(/\.astro$/, '')}`,
  ),
);

export const POST = endpoint(
  pageVitalsCall,
  { access: 'user', limit: 'page-vitals' },
  async ({ input, status }) => {
    if (!ROUTES.has(input.route)) {
      const message = 'Route must be the pattern of a page';
      throw new AppError('invalid_input', message, { fields: { route: message } });
    }
    status(204);
    observePageVitals(input);
    return undefined;
  },
);
