import { type Screen, setScreen } from './environment.ts';

const EM_PX = 16;
const WIDTHS = /(\d*\.?\d+)\s*(px|em|rem)/g;

const NAMED = [
  'prefers-color-scheme',
  'prefers-reduced-motion',
  'prefers-reduced-transparency',
  'prefers-contrast',
  'prefers-reduced-data',
  'forced-colors',
  'inverted-colors',
  'hover',
  'any-hover',
  'pointer',
  'any-pointer',
  'update',
  'scripting',
  'display-mode',
  'color-gamut',
  'dynamic-range',
  'overflow-block',
];

const MEANT: Record<string, string> = {
  'prefers-reduced-motion': 'reduce',
  'prefers-reduced-transparency': 'reduce',
  'prefers-reduced-data': 'reduce',
  'prefers-contrast': 'more',
  'forced-colors': 'active',
  'inverted-colors': 'inverted',
};

/** The usual one, then the bounds that the query names. */
export function screensFor(media: string): Partial<Screen>[] {
  const features: Record<string, string> = {};
  for (const name of NAMED) {
    const asked = new RegExp(`\\(\\s*${name}\\s*(?::\\s*([a-z0-9-]+)\\s*)?\\)`, 'i').exec(media);
    const value = asked && (asked[1]?.toLowerCase() ?? MEANT[name]);
    if (value) features[name] = value;
  }
  const portrait = /orientation\s*:\s*portrait/i.test(media);
  const density = /([\d.]+)\s*(?:dppx|x)\b/i.exec(media)?.[1] ?? /([\d.]+)\s*dpi\b/i.exec(media)?.[1];
  const base: Partial<Screen> = {
    features,
    mediaType: /\bprint\b/i.test(media) && !/\bnot\s+print\b/i.test(media) ? 'print' : 'screen',
    density: density ? Number(density) / (/dpi\b/i.test(media) ? 96 : 1) : 1,
  };
  const bounds = new Set<number>();
  for (const [, number, unit] of media.matchAll(WIDTHS)) {
    const px = Number(number) * (unit === 'px' ? 1 : EM_PX);
    for (const size of [px, px - 1, px + 1, px / 2]) bounds.add(size);
  }
  const widths = [...(portrait ? [768] : []), 1024, ...bounds].filter((width) => width > 0);
  const heights = [...(portrait ? [1024] : []), 768, ...bounds].filter((height) => height > 0);
  const screens: Partial<Screen>[] = [];
  for (const width of widths) screens.push({ ...base, width, height: heights[0]! });
  for (const height of heights) screens.push({ ...base, width: widths[0]!, height });
  for (const width of widths) {
    for (const height of heights) screens.push({ ...base, width, height });
    if (screens.length > 2_000) break;
  }
  return screens;
}

/** False where it holds on none, null where it is no media query. */
export function setFirstScreen(media: string, screens: Iterable<Partial<Screen>>): boolean | null {
  const style = document.createElement('style');
  style.textContent = `@media ${media} {}`;
  document.documentElement.append(style);
  try {
    const rule = style.sheet?.cssRules[0] as (CSSMediaRule & { matches?: boolean }) | undefined;
    if (rule?.media === undefined || (rule.media.mediaText === 'not all' && media !== 'not all')) return null;
    for (const screen of screens) {
      setScreen(screen);
      if (rule.matches) return true;
    }
    return false;
  } finally {
    style.remove();
  }
}
