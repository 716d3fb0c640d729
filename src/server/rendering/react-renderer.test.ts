import { createElement, useId } from 'react';
import { describe, expect, it } from 'vitest';
import renderer, { type WithFixedMarkup } from './react-renderer.ts';

const render = (page: object, Component: unknown, props: object, slots: Record<string, string> = {}) =>
  renderer.renderToStaticMarkup.call({ result: page }, Component as never, { ...props }, slots, {
    hydrate: 'load',
    astroStaticSlot: true,
  });

const Named = () => createElement('p', { id: useId() });
const Frame = ({ children, sideNote }: { children?: never; sideNote?: never }) =>
  createElement('div', null, children, sideNote);
const Picture = () => createElement('img', { src: '/a.png', alt: '' });
let rendered = 0;
const Greeting: ((props: { name: string }) => unknown) & WithFixedMarkup = ({ name }) => {
  rendered += 1;
  return createElement('p', null, name);
};
Greeting.fixedMarkup = true;

describe('the server half of islands', () => {
  it('gives the islands of a page ids of their own, and tells the browser their beginning', async () => {
    const page = {};
    const [first, second] = [await render(page, Named, {}), await render(page, Named, {})];
    expect([first.attrs.prefix, second.attrs.prefix]).toEqual(['r0', 'r1']);
    expect(first.html).toContain('r0');
    expect(first.html).not.toBe(second.html);
    expect((await render({}, Named, {})).html).toBe(first.html);
  });

  it('puts slots where the browser finds them again, and leaves empty ones out', async () => {
    const { html } = await render({}, Frame, {}, { default: '<b>Text</b>', 'side-note': '<i>Note</i>' });
    expect(html).toBe(
      '<div><astro-slot><b>Text</b></astro-slot><astro-slot name="sideNote"><i>Note</i></astro-slot></div>',
    );
    expect((await render({}, Frame, {}, { default: ' ' })).html).toBe('<div></div>');
  });

  it('renders fixed markup once for the same properties, and never gives one person that of another', async () => {
    const names = ['Ada', 'Bob', 'Ada', 'Bob'];
    const html = await Promise.all(names.map((name) => render({}, Greeting, { name })));
    expect(html.map((one) => one.html)).toEqual(names.map((name) => `<p>${name}</p>`));
    expect(rendered).toBe(2);
  });

  it('keeps what React would load ahead out of the middle of a page', async () => {
    expect((await render({}, Picture, {})).html).toBe('<img src="/a.png" alt=""/>');
  });
});
