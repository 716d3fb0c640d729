import type { APIRoute } from 'astro';
import { articleList, listArticles } from '#src/features/company/stories/stories.server.ts';
import { env } from '#src/server/start/env.ts';
import { escapeHtml } from '#src/shared/escape-html.ts';

export const prerender = false;

const element = (name: string, text: string) => `<${name}>${escapeHtml(text)}</${name}>`;

/** The articles for feed readers (RSS 2.0). */
export const GET: APIRoute = async () => {
  const page = await articleList();
  const site = env().siteUrl;
  const items = (await listArticles()).map(({ id, data }) => {
    const address = `${site}/insights/${id}`;
    const parts = [
      element('title', data.title),
      element('link', address),
      element('guid', address),
      element('description', data.description),
      element('pubDate', data.published.toUTCString()),
      element('category', data.topic),
    ];
    return `<item>${parts.join('')}</item>`;
  });
  const channel = [
    element('title', page.title),
    element('description', page.description),
    element('link', site),
    element('language', 'en'),
    ...items,
  ];
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel>${channel.join('')}</channel></rss>`,
    {
      headers: {
        'content-type': 'application/rss+xml; charset=utf-8',
        'cache-control': 'public, max-age=3600',
      },
    },
  );
};
