import type { ArticleContent, CaseContent, PeopleContent, QuotesContent } from '../stories/stories.ts';
import type { Thing } from './json-ld.ts';

const firm = (siteUrl: URL) => ({ '@id': new URL('/#organization', siteUrl).href });

/** Marks invented examples for machines. */
const EXAMPLE = { creativeWorkStatus: 'Example' };

export function caseStudy(study: CaseContent, client: string, path: string, siteUrl: URL): Thing {
  return {
    '@type': 'Article',
    '@id': new URL(path, siteUrl).href,
    url: new URL(path, siteUrl).href,
    headline: study.title,
    description: study.description,
    datePublished: study.published.toISOString(),
    image: new URL('/og/clients.png', siteUrl).href,
    author: firm(siteUrl),
    publisher: firm(siteUrl),
    about: { '@type': 'Organization', name: client },
    ...(study.example && EXAMPLE),
  };
}

export function article(content: ArticleContent, path: string, siteUrl: URL): Thing {
  return {
    '@type': 'BlogPosting',
    '@id': new URL(path, siteUrl).href,
    url: new URL(path, siteUrl).href,
    headline: content.title,
    description: content.description,
    articleSection: content.topic,
    datePublished: content.published.toISOString(),
    dateModified: (content.changed ?? content.published).toISOString(),
    image: new URL('/og/about.png', siteUrl).href,
    author: { '@type': 'Person', name: content.author, worksFor: firm(siteUrl) },
    publisher: firm(siteUrl),
  };
}

export function person({ name, role, text }: PeopleContent['people'][number], siteUrl: URL): Thing {
  return { '@type': 'Person', name, jobTitle: role, description: text, worksFor: firm(siteUrl) };
}

export function quotation({ text, name, role }: QuotesContent['quotes'][number], client: string): Thing {
  return {
    '@type': 'Quotation',
    text,
    creator: { '@type': 'Person', name, jobTitle: role, worksFor: { '@type': 'Organization', name: client } },
    ...EXAMPLE,
  };
}
