import { JSDOM } from 'jsdom';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fitted, pastedText } from './paste.ts';

const { window } = new JSDOM();
beforeAll(() => {
  const { DOMParser, NodeFilter, document } = window;
  for (const [name, value] of Object.entries({ DOMParser, NodeFilter, document })) vi.stubGlobal(name, value);
});
afterAll(() => void vi.unstubAllGlobals());

const paragraph = '<p>A <b>word</b> of it.</p>';

describe('a document of 5 MB', () => {
  it('that is pictures for the most part is put in with its format, and without them', async () => {
    const picture = `<img src="data:image/png;base64,${'A'.repeat(5_000_000)}">`;
    const { text, told } = await pastedText(`${paragraph}${picture}`, 'A word of it.', 10_000, 10_000);
    expect(text).toContain('A **word** of it.');
    expect(told).toBe('1 picture of what you pasted was left out: add them by the picture button.');
  });

  it('of markup is put in as plain text, which is told', async () => {
    const html = paragraph.repeat(Math.ceil(5_000_000 / paragraph.length));
    const { text, told } = await pastedText(html, 'A word of it.', 10_000, 10_000);
    expect(text).toBe('A word of it.');
    expect(told).toMatch(/^What you pasted was put in as plain text: with its format it has 5,000,/);
  });

  it('of words leaves the text as it is, and says how much there is room for', async () => {
    const { text, told } = await pastedText('<p>x</p>', 'x'.repeat(5_000_000), 400, 10_000);
    expect(text).toBeNull();
    expect(told).toBe(
      'Nothing was pasted: it has 5,000,000 characters, and this text takes 400 more (10,000 altogether).',
    );
  });
});

it('stands on lines of its own where it is more than words in a line', () => {
  expect(fitted('word', 'a ', ' b')).toBe('word');
  expect(fitted('- a\n- b', 'Before', 'After')).toBe('\n\n- a\n- b\n\n');
});
