import { LRUCache } from 'lru-cache';
import { type ComponentType, createElement, memo, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';

// Takes the place of the server half of @astrojs/react. That one renders each island twice, the first time to find out
// whose component it is, and sends the markup through a web stream, which costs more than making it. The browser's half
// is the package's own: what this one writes must stay what it expects.

/** An island whose markup depends on nothing but its props: it is rendered once for the same ones. */
export type WithFixedMarkup = { fixedMarkup?: true };

type Metadata = { hydrate?: string; astroStaticSlot?: boolean };
type RenderContext = { result: object };

/** Characters of fixed markup that one process keeps. */
const MOST_CHARACTERS = 1_000_000;
const fixed = new Map<ComponentType, LRUCache<string, string>>();

/** How many islands a page has already: their generated ids must differ. */
const islandsOfPage = new WeakMap<object, number>();

function nextPrefix(page: object): string {
  const count = islandsOfPage.get(page) ?? 0;
  islandsOfPage.set(page, count + 1);
  return `r${count}`;
}

/** Markup from the page around an island, in the element that the browser's half looks for. */
const Slot = memo(
  function Slot({ html, name, isHydrated }: { html: string; name?: string; isHydrated: boolean }) {
    if (html.trim() === '') return null;
    return createElement(isHydrated ? 'astro-slot' : 'astro-static-slot', {
      name,
      suppressHydrationWarning: true,
      dangerouslySetInnerHTML: { __html: html },
    });
  },
  () => true,
);

// React hints at what the markup will load; in the middle of a page that is neither allowed nor of use.
const LOADING_HINT = /<link\s[^>]*rel="(?:preload|modulepreload|stylesheet|preconnect|dns-prefetch)"[^>]*>/g;

function markupOf(
  Component: ComponentType<Record<string, unknown>>,
  props: Record<string, unknown>,
  identifierPrefix: string,
): string {
  const html = renderToString(createElement(Component, props), { identifierPrefix });
  return html.includes('<link') ? html.replace(LOADING_HINT, '') : html;
}

/** React is the only framework here, so whatever Astro asks about is a component of it. */
async function check(Component: unknown): Promise<boolean> {
  return typeof Component === 'function' || (typeof Component === 'object' && Component !== null);
}

/** Renders an island's component with its props and the slots that the page filled. */
async function renderToStaticMarkup(
  this: RenderContext,
  Component: ComponentType<Record<string, unknown>> & WithFixedMarkup,
  given: Record<string, unknown>,
  { default: children, ...slots }: Record<string, string>,
  metadata?: Metadata,
): Promise<{ html: string; attrs: { prefix: string } }> {
  const prefix = nextPrefix(this.result);
  const { class: _, ...props } = given;
  if (Component.fixedMarkup && children === undefined && Object.keys(slots).length === 0) {
    const key = `${prefix} ${JSON.stringify(props)}`;
    let known = fixed.get(Component);
    if (!known) {
      known = new LRUCache({ maxSize: MOST_CHARACTERS, sizeCalculation: (html) => html.length + 1 });
      fixed.set(Component, known);
    }
    const html = known.get(key) ?? markupOf(Component, props, prefix);
    known.set(key, html);
    return { html, attrs: { prefix } };
  }
  const isHydrated = metadata?.astroStaticSlot ? metadata.hydrate !== undefined : true;
  const filled: Record<string, ReactNode> = {};
  for (const [slot, html] of Object.entries(slots)) {
    const name = slot.trim().replace(/[-_]([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    filled[name] = createElement(Slot, { html, name, isHydrated });
  }
  if (children !== undefined) filled.children = createElement(Slot, { html: children, isHydrated });
  return { html: markupOf(Component, { ...props, ...filled }, prefix), attrs: { prefix } };
}

export default { name: '@astrojs/react', check, renderToStaticMarkup, supportsAstroStaticSlot: true };
