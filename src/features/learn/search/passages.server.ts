import type { Cue } from '#db/schema/catalogue.ts';

/** Characters, and those of them before the first match. */
const PASSAGE_MAX = 220;
const BEFORE = 60;
const PLACES_MAX = 300;
const BEGINNING_MIN = 4;
const CUES_MAX = 20_000;

function wordsOf(stems: readonly string[]): RegExp | null {
  const escaped = stems.map((stem) =>
    stem.length < BEGINNING_MIN
      ? `(?:${RegExp.escape(stem)}s?(?![\\p{L}\\p{N}]))`
      : RegExp.escape(stem.replace(/i$/, '')),
  );
  return escaped.length > 0 ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})`, 'giu') : null;
}

export function countWords(text: string, stems: readonly string[]): number {
  return stems.filter((stem) => wordsOf([stem])!.test(text)).length;
}

/** Where most words are close together; 0 for none. */
export function bestPlace(text: string, stems: readonly string[]): number {
  const places = [...(wordsOf(stems) ? text.matchAll(wordsOf(stems)!).take(PLACES_MAX) : [])].map(
    ({ index, 0: word }) => ({
      index,
      word: word.toLowerCase(),
    }),
  );
  let best = { index: 0, words: 0 };
  for (const [at, { index }] of places.entries()) {
    const close = new Set<string>();
    for (const { index: other, word } of places.slice(at, at + 20)) {
      if (other - index > PASSAGE_MAX - BEFORE) break;
      close.add(word);
    }
    if (close.size > best.words) best = { index, words: close.size };
  }
  return best.index;
}

/** Cut between words. */
export function passageOf(text: string, stems: readonly string[]): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain.length <= PASSAGE_MAX) return plain;
  const place = bestPlace(plain, stems);
  const from = place <= BEFORE ? 0 : plain.indexOf(' ', place - BEFORE) + 1;
  const start = Math.min(from, place);
  const whole = plain.slice(start, start + PASSAGE_MAX);
  const isEnd = start + PASSAGE_MAX >= plain.length;
  const cut = isEnd ? whole : whole.slice(0, Math.max(whole.lastIndexOf(' '), PASSAGE_MAX / 2));
  return `${start > 0 ? '… ' : ''}${cut}${isEnd ? '' : ' …'}`;
}

const secondsOf = (clock: string) => clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

/** WebVTT cues as plain text; invalid lines are left out. */
export function readCues(file: string): Cue[] {
  const cues: Cue[] = [];
  for (const block of file.replace(/\r\n?/g, '\n').split(/\n{2,}/)) {
    const lines = block.split('\n');
    const at = lines.findIndex((line) => line.includes('-->'));
    const [, clock] = /^((?:\d+:)?\d{2}:\d{2}\.\d{3})\s+-->/.exec(lines[at]?.trim() ?? '') ?? [];
    if (!clock) continue;
    const text = lines
      .slice(at + 1)
      .join(' ')
      .replace(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&nbsp;', ' ')
      .replaceAll('&amp;', '&')
      .replaceAll('\0', '')
      .trim();
    if (text) cues.push({ start: secondsOf(clock), text });
    if (cues.length === CUES_MAX) break;
  }
  return cues;
}

/** The best cue with the one after it. */
export function bestCue(cues: readonly Cue[], stems: readonly string[]): Cue | null {
  let best: (Cue & { words: number }) | null = null;
  for (const [at, cue] of cues.entries()) {
    const text = [cue.text, cues[at + 1]?.text].filter(Boolean).join(' ');
    // A match in the following cue alone is a bad start.
    const words = countWords(cue.text, stems) > 0 ? countWords(text, stems) : 0;
    if (words > (best?.words ?? 0)) best = { start: cue.start, text, words };
    if (words === stems.length) break;
  }
  return best && { start: best.start, text: best.text };
}
