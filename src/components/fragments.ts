/** How many pieces of markup one process keeps. */
const MOST_FRAGMENTS = 4000;

const fragments = new Map<string, string>();

/**
 * Markup that was rendered before under the same key. The key must name everything that the markup depends on.
 * The oldest piece goes when there are too many.
 */
export async function rememberedFragment(key: string, render: () => Promise<string>): Promise<string> {
  const known = fragments.get(key);
  if (known !== undefined) return known;
  const html = await render();
  if (fragments.size >= MOST_FRAGMENTS) fragments.delete(fragments.keys().next().value ?? key);
  fragments.set(key, html);
  return html;
}
