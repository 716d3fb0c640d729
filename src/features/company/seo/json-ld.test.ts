import { describe, expect, it } from 'vitest';
import type { ArticleContent, CaseContent } from '../stories/stories.ts';
import { breadcrumbList, jsonLdText } from './json-ld.ts';
import { article, caseStudy, quotation } from './story-json-ld.ts';

const siteUrl = new URL('https://example.com');

describe('JSON-LD', () => {
  it('names every step from the home page with its whole address', () => {
    expect(breadcrumbList(siteUrl, [{ name: 'About', path: '/about' }])).toEqual({
      '@type': 'BreadcrumbList',
      itemListElement: [
        { '@type': 'ListItem', position: 1, name: 'Home', item: 'https://example.com/' },
        { '@type': 'ListItem', position: 2, name: 'About', item: 'https://example.com/about' },
      ],
    });
  });

  it('cannot close the element that holds it, and stays the same data', () => {
    const text = jsonLdText([{ '@type': 'Organization', name: '</script><script>alert(1)' }]);
    expect(text).not.toContain('<');
    expect(JSON.parse(text)['@graph'][0].name).toBe('</script><script>alert(1)');
  });

  it('says of case studies and quotes that they are examples, and of articles when they changed', () => {
    const study = {
      title: 'Title',
      description: 'About it',
      client: 'one',
      example: true,
      published: new Date('2026-10-06'),
    } as CaseContent;
    expect(caseStudy(study, 'One', '/clients/title', siteUrl)).toMatchObject({
      '@type': 'Article',
      url: 'https://example.com/clients/title',
      datePublished: '2026-10-06T00:00:00.000Z',
      about: { '@type': 'Organization', name: 'One' },
      creativeWorkStatus: 'Example',
    });
    expect(caseStudy({ ...study, example: false }, 'One', '/x', siteUrl)).not.toHaveProperty(
      'creativeWorkStatus',
    );
    expect(quotation({ text: 'Good.', name: 'Ada', role: 'Lead', client: 'one' }, 'One')).toMatchObject({
      creator: { name: 'Ada', worksFor: { name: 'One' } },
      creativeWorkStatus: 'Example',
    });
    const text = {
      title: 'T',
      description: 'D',
      author: 'Ada',
      topic: 'Hiring',
      published: new Date('2026-10-06'),
    };
    const changed = new Date('2026-11-01');
    expect(article({ ...text, changed } as ArticleContent, '/insights/t', siteUrl)).toMatchObject({
      datePublished: '2026-10-06T00:00:00.000Z',
      dateModified: '2026-11-01T00:00:00.000Z',
      author: { '@type': 'Person', name: 'Ada' },
    });
  });
});
