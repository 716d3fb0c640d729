import type { APIRoute } from 'astro';
import { siteFacts } from '#src/features/company/site-facts.server.ts';

export const prerender = true;

/** Lets a learner install the site as an app, which opens on the dashboard. */
export const GET: APIRoute = async () => {
  const facts = await siteFacts();
  return new Response(
    JSON.stringify({
      id: '/dashboard',
      name: facts.name,
      short_name: facts.name,
      description: facts.description,
      start_url: '/dashboard',
      scope: '/',
      display: 'standalone',
      background_color: '#faf8f4',
      theme_color: '#faf8f4',
      icons: [
        { src: '/app-icons/192.png', sizes: '192x192', type: 'image/png' },
        { src: '/app-icons/512.png', sizes: '512x512', type: 'image/png' },
        { src: '/app-icons/maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
    }),
    { headers: { 'content-type': 'application/manifest+json' } },
  );
};
