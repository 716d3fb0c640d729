import { describe, expect, it } from 'vitest';
import { missingPart } from './selectors.ts';

describe('the part of a selector that nothing in a page has', () => {
  it.each([
    ['main h1', '<h1>Hi</h1>', 'The page has no <main>, and the test looks for one.'],
    ['a[href]', '<a>Home</a>', 'Nothing in the page has href, and the test looks for it.'],
    ['a[href="/b"]', '<a href=/a>Home</a>', 'Nothing in the page has href="/b"; it has href="/a".'],
    [
      'img[alt="A bus"]',
      "<img alt='A red bus'>",
      'Nothing in the page has alt="A bus"; it has alt="A red bus".',
    ],
  ])('%s in %s', (selector, page, told) => {
    expect(missingPart(selector, page)).toBe(told);
  });

  it.each([
    ['figure img[alt="A red bus"]', '<img alt="A red bus"><figure></figure>'],
    ['form input[required]', '<input required><form></form>'],
    ['form input[required]', '<input required="" /><form></form>'],
    ['form button:not([disabled])', '<button>Go</button><form></form>'],
    ['form [data-a-b]', '<p data-a-b>x</p><form></form>'],
  ])('is none where each part occurs: %s in %s', (selector, page) => {
    expect(missingPart(selector, page)).toBeNull();
  });
});
