import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { parse } from 'yaml';
import { siteFacts } from '../src/features/company/site-facts.server.ts';
import { PROJECT_FOLDER } from '../src/server/start/env.ts';
import { BROWSER_FLAGS, findBrowser } from '../tests/support/browser.ts';

// Draws public/og/*.png (1200 by 630) from the pages' headings: npx node scripts/og-images.ts

const content = (file: string) => readFile(join(PROJECT_FOLDER, 'src/content', file), 'utf8');
const yaml = async (file: string) => parse(await content(file));
const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const NAVY = { ground: '#0f1b33', text: '#f6f3ec', line: '#33435f', core: '#1a2947' };
const CREAM = { ground: '#faf8f4', text: '#101a2e', line: '#ddd6c8', core: '#efeae0' };
const BLUE = { ground: '#2145cf', text: '#ffffff', line: '#1836a8', core: '#1836a8' };

const pages = [
  { name: 'home', look: NAVY, heading: (await yaml('home.yaml')).hero.heading },
  { name: 'about', look: CREAM, heading: parse((await content('about.md')).split(/^---$/m)[1]!).heading },
  { name: 'services', look: BLUE, heading: (await yaml('services.yaml')).heading },
  { name: 'clients', look: CREAM, heading: (await yaml('clients.yaml')).heading },
  { name: 'insights', look: NAVY, heading: (await yaml('insights.yaml')).heading },
  { name: 'marketplace', look: BLUE, heading: (await yaml('marketplace.yaml')).hero.heading },
  { name: 'contact', look: NAVY, heading: (await yaml('contact.yaml')).heading },
] as const;

const font = await readFile(
  join(PROJECT_FOLDER, 'src/styles/fonts/instrument-sans-latin-wght.woff2'),
  'base64',
);
const [firstWord, ...otherWords] = (await siteFacts()).name.split(' ');

function ring(radius: number): string {
  const at = (degrees: number) => {
    const angle = (degrees * Math.PI) / 180;
    return `${(320 + radius * Math.cos(angle)).toFixed(1)} ${(320 + radius * Math.sin(angle)).toFixed(1)}`;
  };
  return `M${at(-65)}A${radius} ${radius} 0 1 0 ${at(0)}`;
}

const draw = (heading: string, look: typeof NAVY) => `<!doctype html><style>
@font-face { font-family: Site; src: url(data:font/woff2;base64,${font}); font-weight: 400 700; }
body { margin: 0; width: 1200px; height: 630px; overflow: hidden; position: relative;
  background: ${look.ground}; color: ${look.text}; font-family: Site; }
svg { position: absolute; right: -70px; top: -60px; width: 750px; }
p { position: absolute; left: 80px; top: 72px; margin: 0; font-size: 38px; letter-spacing: -0.02em; font-weight: 500; }
b { font-weight: 700; }
span { opacity: 0.8; }
h1 { position: absolute; left: 80px; bottom: 76px; margin: 0; max-width: 800px; font-size: 76px; line-height: 1.06;
  letter-spacing: -0.03em; font-weight: 600; text-wrap: balance; }
</style><body>
<svg viewBox="0 0 640 640" fill="none" stroke-linecap="round" stroke-linejoin="round">
<g stroke="${look.line}" stroke-width="1.8"><path d="${ring(308)}"/><path d="${ring(262)}"/><path d="${ring(118)}"/></g>
<path d="${ring(190)}H354" stroke="${look.core}" stroke-width="44"/>
<circle cx="486" cy="206" r="38" fill="#f2a01f"/></svg>
<p><b>${escapeHtml(firstWord!)}</b> <span>${escapeHtml(otherWords.join(' '))}</span></p>
<h1>${escapeHtml(heading)}</h1>`;

const folder = join(PROJECT_FOLDER, 'public/og');
await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: findBrowser(), args: BROWSER_FLAGS });
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
for (const { name, look, heading } of pages) {
  await page.setContent(draw(heading, look));
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
await browser.close();
console.log(`Drew ${pages.length} images into public/og.`);
