import rss from '@astrojs/rss';
import type { APIRoute } from 'astro';
import { articleList, listArticles } from '#src/features/company/stories/stories.server.ts';
import { env } from '#src/server/start/env.ts';

export const prerender = false;

/** The articles for feed readers. */
export const GET: APIRoute = async () => {
  const page = await articleList();
  const answer = await rss({
    title: page.title,
    description: page.description,
    site: env().siteUrl,
    trailingSlash: false,
    items: (await listArticles()).map(({ id, data }) => ({
      title: data.title,
      description: data.description,
      link: `/insights/${id}`,
      pubDate: data.published,
      categories: [data.topic],
    })),
    customData: '<language>en</language>',
  });
  answer.headers.set('content-type', 'application/rss+xml; charset=utf-8');
  answer.headers.set('cache-control', 'public, max-age=3600');
  return answer;
};
