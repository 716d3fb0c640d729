import { describe, expect, it } from 'vitest';
import { breadcrumbList, jsonLdText } from './json-ld.ts';

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
});
