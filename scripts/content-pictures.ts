import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { PORTRAIT_PIXELS } from '#src/features/catalogue/course-page/instructor.ts';
import { PROJECT_FOLDER } from '#src/server/start/env.ts';

// Draws the example pictures of src/content/pictures and db/seed/instructors: node
// scripts/content-pictures.ts

interface Portrait {
  ground: string;
  skin: string;
  shade: string;
  hair: string;
  shirt: string;
  behind?: string;
  front: string;
  beard?: boolean;
  glasses?: 'round' | 'square';
}

// All portraits share head (center 320, 262), neck and shoulders; hair is what tells them apart.
const SHORT =
  'M202 262c-14-92 40-152 120-152s134 56 118 152c-6-34-18-60-36-76-44 18-118 22-166-4-18 18-30 44-36 80Z';

const PORTRAITS: Record<string, Portrait> = {
  'ingrid-solheim': {
    ground: '#e9e2d2',
    skin: '#f1c9ae',
    shade: '#dca98b',
    hair: '#d9b26a',
    shirt: '#2145cf',
    glasses: 'round',
    behind: '<circle cx="322" cy="100" r="50"/>',
    front: 'M204 258c-10-92 44-146 116-146s130 54 118 146c-16-52-62-92-96-104-26 46-92 70-138 104Z',
  },
  'marcus-adeyemi': {
    ground: '#cfd8ee',
    skin: '#7a4b32',
    shade: '#5f3824',
    hair: '#1c1512',
    shirt: '#f2a01f',
    beard: true,
    front:
      'M210 244c-8-82 44-128 110-128s118 46 110 128c-10-28-20-46-32-56-46-14-110-14-156 0-12 10-24 28-32 56Z',
  },
  'claire-baptiste': {
    ground: '#f3d9b4',
    skin: '#a86f4c',
    shade: '#8a5638',
    hair: '#2a1a16',
    shirt: '#12693f',
    behind:
      '<circle cx="214" cy="220" r="72"/><circle cx="426" cy="220" r="72"/><circle cx="196" cy="320" r="70"/><circle cx="444" cy="320" r="70"/><circle cx="214" cy="402" r="58"/><circle cx="426" cy="402" r="58"/><circle cx="270" cy="150" r="72"/><circle cx="370" cy="150" r="72"/>',
    front: 'M208 250c2-84 46-136 112-136s112 52 112 136c-26-28-42-58-48-84-38 36-118 44-176 84Z',
  },
  'tomasz-wilk': {
    ground: '#d5e3d9',
    skin: '#f0c6a6',
    shade: '#d8a583',
    hair: '#6a4228',
    shirt: '#0f1b33',
    glasses: 'square',
    front:
      'M202 256c-16-94 46-150 122-150s130 58 114 150c-8-36-20-58-34-74-68 8-126-6-156-36-2 38-32 70-46 110Z',
  },
  'hana-mori': {
    ground: '#f0d4d0',
    skin: '#f2cfb0',
    shade: '#d9ac88',
    hair: '#17151c',
    shirt: '#445069',
    behind:
      '<path d="M188 402c-16-60-14-130-6-176 12-74 62-124 138-124s126 50 138 124c8 46 10 116-6 176-44 14-220 14-264 0Z"/>',
    front: 'M206 268c-8-94 34-154 114-154s122 60 114 154c-8-30-16-48-26-60H232c-10 12-18 30-26 60Z',
  },
  'samir-haddad': {
    ground: '#dfe0e6',
    skin: '#d9a67c',
    shade: '#b98860',
    hair: '#8d8f97',
    shirt: '#1a4a5c',
    beard: true,
    front: SHORT,
  },
};

const INSTRUCTORS: Record<string, Portrait> = {
  'noor-castellane': {
    ground: '#d7e4ec',
    skin: '#c98d63',
    shade: '#a9704a',
    hair: '#231a1e',
    shirt: '#a33b2c',
    behind:
      '<path d="M196 470c-30-70-20-170-8-222 14-72 60-128 132-128s118 56 132 128c12 52 22 152-8 222-30 20-218 20-248 0Z"/>',
    front:
      'M204 272c-14-98 30-158 116-158s130 60 116 158c-6-40-24-76-62-104-20 34-96 60-152 54-8 14-14 30-18 50Z',
  },
  'ewan-brightwater': {
    ground: '#e7ddc8',
    skin: '#f3cdb4',
    shade: '#dcaa8c',
    hair: '#a4502a',
    shirt: '#20463d',
    beard: true,
    glasses: 'round',
    front:
      'M204 250c-10-88 42-140 116-140s126 52 116 140c-8-30-18-50-30-62-30 12-60-4-86-22-30 26-66 30-90 24-12 14-20 34-26 60Z',
  },
  'mirela-osei': {
    ground: '#eadcf0',
    skin: '#6b422d',
    shade: '#513120',
    hair: '#120d0c',
    shirt: '#e0a526',
    glasses: 'square',
    behind:
      '<circle cx="320" cy="170" r="120"/><circle cx="226" cy="206" r="70"/><circle cx="414" cy="206" r="70"/><circle cx="262" cy="112" r="62"/><circle cx="378" cy="112" r="62"/><circle cx="320" cy="86" r="60"/>',
    front:
      'M204 246c-6-90 44-136 116-136s122 46 116 136c-22-34-38-52-56-60-36 12-84 12-120 0-18 10-36 26-56 60Z',
  },
};

const GLASSES = {
  round:
    '<circle cx="272" cy="266" r="36"/><circle cx="368" cy="266" r="36"/><path d="M308 262q12-8 24 0M236 260l-28-8M404 260l28-8"/>',
  square:
    '<rect x="234" y="240" width="72" height="52" rx="14"/><rect x="334" y="240" width="72" height="52" rx="14"/><path d="M306 260q14-8 28 0M234 258l-26-8M406 258l26-8"/>',
};

function portrait({
  ground,
  skin,
  shade,
  hair,
  shirt,
  behind = '',
  front,
  beard,
  glasses,
}: Portrait): string {
  const beardShape = `<path d="M208 276c2 92 42 142 112 142s110-50 112-142c-10 34-26 54-44 60-40-16-96-16-136 0-18-6-34-26-44-60Z" fill="${hair}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="720" viewBox="0 0 640 640">
<rect width="640" height="640" fill="${ground}"/>
<g fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="3"><circle cx="320" cy="300" r="286"/><circle cx="320" cy="300" r="236"/></g>
<g fill="${hair}">${behind}</g>
<path d="M72 660c8-120 90-176 186-188h124c96 12 178 68 186 188Z" fill="${shirt}"/>
<path d="M268 380h104v94c0 36-104 36-104 0Z" fill="${shade}"/>
<path d="M262 470c16 44 100 44 116 0l18 8c-22 66-130 66-152 0Z" fill="#fff" fill-opacity=".28"/>
<ellipse cx="206" cy="276" rx="18" ry="28" fill="${shade}"/><ellipse cx="434" cy="276" rx="18" ry="28" fill="${shade}"/>
<path d="M208 246c0-84 46-130 112-130s112 46 112 130c0 96-46 168-112 168s-112-72-112-168Z" fill="${skin}"/>
${beard ? beardShape : ''}
<g fill="#231815"><circle cx="272" cy="268" r="9"/><circle cx="368" cy="268" r="9"/></g>
<g fill="none" stroke="#231815" stroke-linecap="round" stroke-width="7"><path d="M250 232q22-14 44-2M346 230q22-12 44 2" stroke="${hair}"/><path d="M284 354q36 28 72 0" stroke="${beard ? '#f6e7dc' : '#8a3f34'}"/></g>
<path d="M320 274q-16 34-10 46 10 8 22 2" fill="none" stroke="${shade}" stroke-width="7" stroke-linecap="round"/>
<path d="${front}" fill="${hair}"/>
<g fill="none" stroke="#101a2e" stroke-width="7">${glasses ? GLASSES[glasses] : ''}</g></svg>`;
}

const ROUTES = [
  ['#2145cf', 'M560 520 440 420 300 440 200 330 260 210 400 190 500 300 560 520'],
  ['#f2a01f', 'M560 520 700 430 860 470 960 360 900 220 740 250 640 340 560 520'],
  ['#12693f', 'M560 520 520 650 380 740 260 700 340 590 480 600 620 720 760 640 700 560 560 520'],
] as const;

function routePlan(): string {
  const streets = Array.from(
    { length: 13 },
    (_, n) => `<path d="M${n * 100 - 60} 0 L${n * 100 + 40} 1000 M0 ${n * 84 + 20} L1080 ${n * 84 - 50}"/>`,
  );
  const routes = ROUTES.map(([color, path]) => {
    const stops = path.slice(1).split(' ').map(Number);
    const dots = stops.flatMap((x, n) =>
      n % 2 === 0
        ? [`<circle cx="${x}" cy="${stops[n + 1]}" r="13" fill="#fff" stroke="${color}" stroke-width="7"/>`]
        : [],
    );
    return `<path d="${path}" fill="none" stroke="${color}" stroke-width="11" stroke-linejoin="round"/>${dots.join('')}`;
  });
  const rows = Array.from({ length: 8 }, (_, n) => {
    const [color] = ROUTES[n % 3]!;
    return `<g transform="translate(1130 ${190 + n * 92})"><circle cx="16" cy="24" r="11" fill="${color}"/><rect x="52" y="4" width="${190 + ((n * 47) % 110)}" height="16" rx="8" fill="#101a2e"/><rect x="52" y="32" width="${120 + ((n * 31) % 90)}" height="12" rx="6" fill="#bbc2d0"/><path d="M0 74H410" stroke="#e4dfd4" stroke-width="3"/></g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1000" viewBox="0 0 1600 1000"><rect width="1600" height="1000" fill="#f3f0e9"/>
<g stroke="#fff" stroke-width="16">${streets.join('')}</g><path d="M-20 860C240 800 300 900 560 850S900 700 1090 760V1000H-20Z" fill="#cfdcf2"/>
<rect x="1080" width="520" height="1000" fill="#fff"/><rect x="1130" y="84" width="260" height="30" rx="15" fill="#101a2e"/>
${routes.join('')}<circle cx="560" cy="520" r="34" fill="#101a2e"/><circle cx="560" cy="520" r="12" fill="#f2a01f"/>${rows.join('')}</svg>`;
}

function enrollmentWave(): string {
  const bars = Array.from({ length: 64 }, (_, hour) => {
    const day = Math.floor(hour / 16);
    const wave = Math.exp(-(((hour % 16) - 3) ** 2) / 9) + 0.6 * Math.exp(-(((hour % 16) - 12) ** 2) / 6);
    const height = 24 + (520 * wave) / (1 + day * 0.75);
    return `<rect x="${128 + hour * 21 + day * 4}" y="${(850 - height).toFixed(0)}" width="15" height="${height.toFixed(0)}" rx="5" fill="${day === 0 ? '#f2a01f' : '#93aeff'}"/>`;
  });
  const days = [0, 1, 2, 3].map(
    (day) => `<circle cx="${296 + day * 340}" cy="906" r="9" fill="${day === 0 ? '#f2a01f' : '#93aeff'}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1000" viewBox="0 0 1600 1000"><rect width="1600" height="1000" fill="#0f1b33"/>
<g stroke="#33435f" stroke-width="2"><path d="M110 850H1500M110 690H1500M110 530H1500M110 370H1500"/></g>
<path d="M110 196H1500" stroke="#f6f3ec" stroke-width="4" stroke-dasharray="4 14" stroke-linecap="round"/><circle cx="1500" cy="196" r="12" fill="#f6f3ec"/>
${bars.join('')}${days.join('')}</svg>`;
}

const drawings: Record<string, string> = {
  'cases/tidepath.png': routePlan(),
  'cases/everfield.png': enrollmentWave(),
};
for (const [name, one] of Object.entries(PORTRAITS)) drawings[`people/${name}.png`] = portrait(one);

for (const [name, one] of Object.entries(INSTRUCTORS)) {
  const path = join(PROJECT_FOLDER, 'db/seed/instructors', `${name}.webp`);
  await mkdir(dirname(path), { recursive: true });
  await sharp(Buffer.from(portrait(one)))
    .resize(PORTRAIT_PIXELS)
    .webp({ quality: 82 })
    .toFile(path);
}

for (const [file, svg] of Object.entries(drawings)) {
  const path = join(PROJECT_FOLDER, 'src/content/pictures', file);
  await mkdir(dirname(path), { recursive: true });
  await sharp(Buffer.from(svg)).png({ palette: true, colours: 128, compressionLevel: 9 }).toFile(path);
}
