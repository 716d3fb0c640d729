import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LucideIcon } from 'lucide-react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ICON_NAMES, NETWORKS } from '#src/components/icon-names.ts';
import { PROJECT_FOLDER } from '#src/server/start/env.ts';

export const SPRITE = join(PROJECT_FOLDER, 'src/components/icons.svg');

function starRows(shape: string): string {
  const star = (isFilled: boolean, place: number) =>
    `<g transform="translate(${27 * place})" ${isFilled ? 'fill="currentColor"' : 'stroke="var(--color-line-strong)"'}>${shape}</g>`;
  const rows = [0, 1, 2, 3, 4, 5].map((filled) => {
    const stars = [0, 1, 2, 3, 4].map((place) => star(place < filled, place));
    return `  <symbol id="stars-${filled}" viewBox="0 0 132 24">${stars.join('')}</symbol>\n`;
  });
  return rows.join('');
}

/** Their license (CC BY 4.0) asks for the note. */
async function marks(): Promise<string> {
  const symbols = NETWORKS.map(async (network) => {
    const name = `fa${network[0]!.toUpperCase()}${network.slice(1)}`;
    const {
      definition,
    }: { definition: { icon: [width: number, height: number, ...unknown[], path: string] } } = await import(
      `@fortawesome/free-brands-svg-icons/${name}`
    );
    const [width, height] = definition.icon;
    return `  <symbol id="brand-${network}" viewBox="0 0 ${width} ${height}"><path fill="currentColor" stroke="none" d="${definition.icon[4]}"/></symbol>\n`;
  });
  return `  <!-- The marks of networks: Font Awesome Free (fontawesome.com), CC BY 4.0 -->\n${(await Promise.all(symbols)).join('')}`;
}

/** The file of all icons that pages refer to, drawn from Lucide. */
export async function drawSprite(): Promise<string> {
  const shapes = new Map<string, string>();
  for (const name of ICON_NAMES) {
    const { default: Icon }: { default: LucideIcon } = await import(`lucide-react/icons/${name}`);
    shapes.set(name, /^<svg[^>]*>(.*)<\/svg>$/s.exec(renderToStaticMarkup(createElement(Icon)))![1]!);
  }
  const symbols = [...shapes].map(
    ([name, shape]) => `  <symbol id="${name}" viewBox="0 0 24 24">${shape}</symbol>\n`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join('')}${starRows(shapes.get('star')!)}${await marks()}</svg>\n`;
}

if (import.meta.main) await writeFile(SPRITE, await drawSprite());
