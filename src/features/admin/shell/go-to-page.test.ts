import { JSDOM } from 'jsdom';
import { afterEach, expect, test, vi } from 'vitest';
import { goByKeys } from './go-to-page.ts';

afterEach(() => vi.unstubAllGlobals());

/** A list of two keys, and what typing letters at moments (milliseconds since the page began) clicks or shows. */
function clickedBy(...typed: [letter: string, at: number][]): string[] {
  const { window } = new JSDOM('<dialog><a data-key="g">Grading</a><a data-key="u">Users</a></dialog>');
  vi.stubGlobal('document', window.document);
  vi.stubGlobal('Element', window.Element);
  vi.stubGlobal('CSS', { escape: (text: string) => text });
  const keys = window.document.querySelector('dialog')!;
  const clicked: string[] = [];
  // jsdom has no dialogs.
  keys.showModal = () => clicked.push('keys');
  keys.addEventListener('click', (event) => clicked.push((event.target as HTMLElement).textContent));
  goByKeys(keys);
  for (const [key, at] of typed) {
    const event = new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    Object.defineProperty(event, 'timeStamp', { value: at });
    window.document.body.dispatchEvent(event);
  }
  return clicked;
}

test('g and a letter lead to a page, also on a page that began a moment ago', () => {
  expect(clickedBy(['g', 300], ['u', 500])).toEqual(['Users']);
  expect(clickedBy(['g', 5_000], ['g', 5_100])).toEqual(['Grading']);
});

test('a letter alone, too late or of no page leads nowhere', () => {
  expect(clickedBy(['g', 300])).toEqual([]);
  expect(clickedBy(['u', 300])).toEqual([]);
  expect(clickedBy(['g', 300], ['u', 2_300])).toEqual([]);
  expect(clickedBy(['g', 300], ['z', 400], ['u', 500])).toEqual([]);
});

test('a question mark shows the keys, except after a g', () => {
  expect(clickedBy(['?', 300])).toEqual(['keys']);
  expect(clickedBy(['g', 300], ['?', 400])).toEqual([]);
});
