/**
 * Re-creates the videos, captions and PDF documents of the demo courses from `courses/<slug>/source/`.
 *
 *   npx node db/seed/make-media.ts [slug …]
 *
 * Needs `ffmpeg` and Chromium on the machine (`CHROMIUM` names another browser binary). The results are committed,
 * so neither the product nor its tests run this script.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';

/** One still of a video: `scene` is HTML, `caption` is what the WebVTT track says while it is shown. */
interface Slide {
  heading: string;
  scene: string;
  caption: string;
  seconds: number;
}

/** `source/<name>.video.yaml`. Colors are CSS colors; `accent` marks what a step is about. */
interface Video {
  title: string;
  ink: string;
  ground: string;
  accent: string;
  slides: Slide[];
}

interface Cue {
  start: number;
  end: number;
  lines: string[];
}

const SEED = import.meta.dirname;
const COURSES = path.join(SEED, 'courses');
const FONT = pathToFileURL(
  path.join(SEED, '../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
).href;
const BROWSER = process.env.CHROMIUM ?? 'chromium';

const WIDTH_PX = 960;
const HEIGHT_PX = 540;
const FRAMES_PER_SECOND = 25;
const CROSSFADE_SECONDS = 0.36;
const CAPTION_LINE_CHARACTERS = 42;
const CAPTION_LINES = 2;

const FONT_FACE = `@font-face{font-family:Inter;src:url(${FONT}) format('woff2');font-weight:100 900}`;

// Captions are drawn over the lowest sixth of the picture, so the scene ends above it.
const SLIDE_CSS = `${FONT_FACE}
*{box-sizing:border-box;margin:0}
body{width:${WIDTH_PX}px;height:${HEIGHT_PX}px;padding:44px 60px 96px;display:flex;flex-direction:column;font:500 25px/1.35 Inter,sans-serif;color:var(--ink);background:linear-gradient(135deg,#fff,var(--ground));overflow:hidden;position:relative}
body::before{content:'';position:absolute;right:-120px;top:-150px;width:380px;height:380px;border-radius:50%;background:var(--ink);opacity:.05}
.kicker{font-size:18px;font-weight:600;opacity:.72}
h1{font-size:36px;line-height:1.2;font-weight:700;letter-spacing:-.02em;margin-top:4px}
main{flex:1;display:flex;flex-direction:column;justify-content:center;gap:18px;padding-top:14px}
.dots{position:absolute;top:54px;right:60px;display:flex;gap:8px}
.dots i{width:10px;height:10px;border-radius:9px;background:var(--ink);opacity:.2}
.dots i.on{width:28px;opacity:.9}
.row{display:flex;gap:16px;align-items:center}
.row>.name{width:150px;font:600 23px Inter;opacity:.75}
.tile{min-width:104px;padding:16px 20px;text-align:center;border-radius:16px;background:#fff;box-shadow:0 8px 18px -8px rgb(20 30 50/.28),0 0 0 1px rgb(20 30 50/.07);font-weight:650}
.tile.hot{background:var(--accent);color:#1c1a22}
.tile.dark{background:var(--ink);color:#fff}
.off{opacity:.28}
.tile.gone{text-decoration:line-through;opacity:.38;box-shadow:none}
.code{font:600 24px/1.4 'DejaVu Sans Mono',monospace;background:var(--ink);color:#fff;border-radius:14px;padding:14px 22px;align-self:flex-start}
.big{font-size:32px;line-height:1.35;font-weight:600;max-width:760px}
.two{display:grid;grid-template-columns:1fr 1fr;gap:56px}
table{border-collapse:separate;border-spacing:0;width:100%;background:#fff;border-radius:16px;overflow:hidden;box-shadow:0 10px 22px -10px rgb(20 30 50/.3),0 0 0 1px rgb(20 30 50/.07);font-size:22px}
th{background:var(--ink);color:#fff;text-align:left;padding:8px 18px;font-weight:600}
td{padding:7px 18px;border-top:1px solid rgb(20 30 50/.09)}
tr.hot td{background:color-mix(in srgb,var(--accent) 34%,#fff)}
tr.off td{opacity:.34}
.null{font-style:italic;opacity:.7}
.timeline{display:flex;height:92px;border-radius:18px;overflow:hidden;box-shadow:0 10px 22px -10px rgb(20 30 50/.3)}
.timeline span{display:grid;place-items:center;color:var(--ink);background:#fff;border-right:2px solid var(--ground);font-size:20px;font-weight:600;text-align:center;line-height:1.15}
.timeline .hot{background:var(--accent);color:#1c1a22}
.scale{display:flex;justify-content:space-between;font-size:18px;opacity:.75}
.page{position:relative;background:#fff;border-radius:18px;padding:22px 26px;box-shadow:0 10px 22px -10px rgb(20 30 50/.3),0 0 0 1px rgb(20 30 50/.07);display:flex;flex-direction:column;gap:13px;height:268px}
.page .row{gap:20px}
.ctl{padding:9px 18px;border-radius:10px;background:var(--ground);font-size:21px;font-weight:600}
.ctl.dark{background:var(--ink);color:#fff}
.ring{outline:5px solid var(--accent);outline-offset:4px}
.stripe{height:12px;border-radius:9px;background:rgb(20 30 50/.1)}
.veil{position:absolute;inset:0;border-radius:18px;background:rgb(20 25 45/.5);display:grid;place-items:center}
.dialog{background:#fff;border-radius:16px;padding:22px 28px;display:flex;flex-direction:column;gap:16px;font-weight:650}
kbd{font:650 22px Inter;background:#fff;border:2px solid rgb(20 30 50/.22);border-bottom-width:5px;border-radius:10px;padding:5px 14px}`;

const PRINT_CSS = `${FONT_FACE}
@page{size:A4;margin:13mm 14mm}
*{box-sizing:border-box}
body{margin:0;font:400 9.1pt/1.42 Inter,sans-serif;color:#1c2430}
header{display:flex;justify-content:space-between;align-items:flex-end;border-bottom:2.5pt solid var(--hue);padding-bottom:6pt;margin-bottom:9pt}
h1{font-size:19pt;line-height:1.1;letter-spacing:-.02em;margin:0}
header p{margin:0;color:#566172;font-size:9pt}
h2{font-size:10.6pt;margin:0 0 4pt;color:var(--hue)}
section{break-inside:avoid;margin:0 0 9pt}
.cols{columns:2;column-gap:9mm}
pre{font:7.9pt/1.45 'DejaVu Sans Mono',monospace;background:#f3f5f8;border-radius:4pt;padding:5pt 7pt;margin:0 0 4pt;white-space:pre-wrap}
code{font:.88em 'DejaVu Sans Mono',monospace}
p{margin:0 0 4pt}
ul,ol{margin:0;padding-left:13pt}
ul.check{list-style:none;padding:0}
ul.check li{padding-left:15pt;position:relative;margin-bottom:2.5pt}
ul.check li::before{content:'';position:absolute;left:0;top:1.6pt;width:8pt;height:8pt;border:1pt solid #566172;border-radius:1.5pt}
table{width:100%;border-collapse:collapse;margin:0 0 4pt;font-size:8.6pt}
th{text-align:left;font-weight:650;border-bottom:1pt solid #9aa4b2;padding:2.5pt 5pt 2.5pt 0}
td{vertical-align:top;border-bottom:.5pt solid #d9dee6;padding:2.5pt 5pt 2.5pt 0}
.form td,.form th{border:.75pt solid #9aa4b2;padding:4pt 5pt}
.line{display:inline-block;border-bottom:.75pt solid #7a8594;min-width:46mm}
footer{margin-top:6pt;color:#566172;font-size:8pt}`;

function browse(...flags: string[]): void {
  execFileSync(BROWSER, ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', ...flags], {
    stdio: 'ignore',
  });
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function balance(text: string): string[] {
  const count = wrap(text, CAPTION_LINE_CHARACTERS).length;
  let width = Math.ceil(text.length / count);
  while (wrap(text, width).length > count) width += 1;
  return wrap(text, width);
}

/**
 * Cuts a caption at the ends of sentences into cues of at most two lines, which share `start`–`end` (seconds) by
 * length. A sentence longer than two lines is an error: it would have to be torn apart.
 */
function cuesFor(caption: string, start: number, end: number): Cue[] {
  const texts: string[] = [];
  for (const sentence of caption.split(/(?<=[.?!]"?)\s+/)) {
    const joined = texts.length > 0 ? `${texts.at(-1)} ${sentence}` : '';
    if (wrap(sentence, CAPTION_LINE_CHARACTERS).length > CAPTION_LINES)
      throw new Error(`Too long: ${sentence}`);
    if (joined && wrap(joined, CAPTION_LINE_CHARACTERS).length <= CAPTION_LINES)
      texts[texts.length - 1] = joined;
    else texts.push(sentence);
  }
  const total = texts.join('').length;
  let from = start;
  return texts.map((text) => {
    const until = from + ((end - start) * text.length) / total;
    const cue = { start: from, end: until, lines: balance(text) };
    from = until;
    return cue;
  });
}

function timestamp(seconds: number): string {
  return new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);
}

function makeVideo(source: string, target: string): void {
  const video = parse(readFileSync(source, 'utf8')) as Video;
  const work = mkdtempSync(path.join(tmpdir(), 'course-video-'));
  const inputs: string[] = [];
  const filters: string[] = [];
  const cues: Cue[] = [];
  let start = 0;
  let previous = '[0:v]';
  for (const [index, slide] of video.slides.entries()) {
    const html = path.join(work, `${index}.html`);
    const png = path.join(work, `${index}.png`);
    const dots = video.slides.map((_, i) => `<i${i === index ? ' class="on"' : ''}></i>`).join('');
    writeFileSync(
      html,
      `<!doctype html><html lang="en"><meta charset="utf-8"><style>${SLIDE_CSS}</style>
<body style="--ink:${video.ink};--ground:${video.ground};--accent:${video.accent}"><div class="dots">${dots}</div>
<p class="kicker">${video.title}</p><h1>${slide.heading}</h1><main>${slide.scene}</main></body></html>`,
    );
    // The window is taller than the picture because some Chromium versions subtract a toolbar; ffmpeg crops.
    browse(`--window-size=${WIDTH_PX},${HEIGHT_PX + 160}`, `--screenshot=${png}`, pathToFileURL(html).href);
    inputs.push('-loop', '1', '-framerate', `${FRAMES_PER_SECOND}`, '-t', `${slide.seconds}`, '-i', png);
    const end = start + slide.seconds - (index === video.slides.length - 1 ? 0 : CROSSFADE_SECONDS);
    cues.push(...cuesFor(slide.caption, start, end));
    if (index > 0) {
      const out = `[x${index}]`;
      filters.push(
        `${previous}[${index}:v]xfade=transition=fade:duration=${CROSSFADE_SECONDS}:offset=${start.toFixed(3)}${out}`,
      );
      previous = out;
    }
    start = end;
  }
  filters.push(`${previous}crop=${WIDTH_PX}:${HEIGHT_PX}:0:0,format=yuv420p[v]`);
  execFileSync(
    'ffmpeg',
    [
      ['-y', '-loglevel', 'error', ...inputs, '-filter_complex', filters.join(';'), '-map', '[v]'],
      ['-c:v', 'libx264', '-profile:v', 'baseline', '-preset', 'slow', '-crf', '27', '-g', '100'],
      ['-map_metadata', '-1', '-fflags', '+bitexact', '-movflags', '+faststart', target],
    ].flat(),
    { stdio: 'inherit' },
  );
  const vtt = cues.map((cue) => `${timestamp(cue.start)} --> ${timestamp(cue.end)}\n${cue.lines.join('\n')}`);
  writeFileSync(target.replace(/\.mp4$/, '.vtt'), `WEBVTT\n\n${vtt.join('\n\n')}\n`);
  rmSync(work, { recursive: true });
}

function makeDocument(source: string, target: string): void {
  const work = mkdtempSync(path.join(tmpdir(), 'course-document-'));
  const html = path.join(work, 'document.html');
  const body = readFileSync(source, 'utf8');
  const title = /<h1>(.*?)<\/h1>/.exec(body)?.[1] ?? path.basename(source, '.print.html');
  writeFileSync(
    html,
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><style>${PRINT_CSS}</style><body>${body}</body></html>`,
  );
  browse('--no-pdf-header-footer', `--print-to-pdf=${target}`, pathToFileURL(html).href);
  rmSync(work, { recursive: true });
}

const wanted = process.argv.slice(2);
for (const slug of readdirSync(COURSES)) {
  const source = path.join(COURSES, slug, 'source');
  if (!existsSync(source) || (wanted.length > 0 && !wanted.includes(slug))) continue;
  const files = path.join(COURSES, slug, 'files');
  mkdirSync(files, { recursive: true });
  for (const name of readdirSync(source)) {
    if (name.endsWith('.video.yaml'))
      makeVideo(path.join(source, name), path.join(files, name.replace('.video.yaml', '.mp4')));
    if (name.endsWith('.print.html'))
      makeDocument(path.join(source, name), path.join(files, name.replace('.print.html', '.pdf')));
    console.log(`${slug}: ${name}`);
  }
}
