import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('theme.css', import.meta.url), 'utf8');

/** Red, green and blue of a token, of 0 to 1, in the light (0) or the dark (1) theme. */
function token(name: string, theme: 0 | 1): number[] {
  const value = new RegExp(`--color-${name}: ([^;]+);`).exec(css)?.[1];
  const hex = value?.match(/#[0-9a-f]{6}/g);
  if (!hex) throw new Error(`theme.css has no color "${name}".`);
  return [1, 3, 5].map((at) => Number.parseInt((hex[theme] ?? hex[0]!).slice(at, at + 2), 16) / 255);
}

/** Contrast as WCAG 2.2 defines it. */
function contrast(a: number[], b: number[]): number {
  const luminance = (color: number[]) => {
    const [r, g, b2] = color.map((part) =>
      part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b2!;
  };
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

const GROUNDS = ['canvas', 'surface', 'sunken'];
const TEXTS = [
  'ink',
  'ink-soft',
  'ink-faint',
  'accent',
  'accent-strong',
  'success',
  'warning',
  'danger',
  'info',
];
const PAIRS: [text: string, ground: string, least: number][] = [
  ...GROUNDS.flatMap((ground) => TEXTS.map((text): [string, string, number] => [text, ground, 4.5])),
  ...GROUNDS.map((ground): [string, string, number] => ['line-strong', ground, 3]),
  ...['accent', 'success', 'warning', 'danger', 'info'].flatMap((state): [string, string, number][] => [
    [state, `${state}-soft`, 4.5],
    ['ink', `${state}-soft`, 4.5],
    ['ink-soft', `${state}-soft`, 4.5],
  ]),
  ['accent-strong', 'accent-soft', 4.5],
  ['ink', 'spark-soft', 4.5],
  ...['accent', 'accent-strong', 'success', 'danger', 'danger-strong'].map(
    (ground): [string, string, number] => ['on-accent', ground, 4.5],
  ),
  ...['navy', 'navy-raised'].flatMap((ground): [string, string, number][] => [
    ['on-navy', ground, 4.5],
    ['on-navy-soft', ground, 4.5],
    ['spark', ground, 3],
  ]),
];

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('the %s theme', (_, theme) => {
  it.each(PAIRS)('shows %s on %s with enough contrast', (text, ground, least) => {
    expect(contrast(token(text, theme), token(ground, theme))).toBeGreaterThanOrEqual(least);
  });
});
