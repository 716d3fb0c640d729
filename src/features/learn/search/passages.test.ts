import { describe, expect, it } from 'vitest';
import { bestCue, passageOf, readCues } from './passages.server.ts';

describe('a passage', () => {
  const filler = 'and so on and on '.repeat(40);

  it('is the whole of a short text', () => {
    expect(passageOf(' One\n\nline. ', ['line'])).toBe('One line.');
  });

  it('is cut between words, around where most of the words stand', () => {
    const text = `A closure alone. ${filler} The counter of a closure is kept. ${filler}`;
    const passage = passageOf(text, ['closur', 'counter']);
    expect(passage).toContain('The counter of a closure is kept.');
    expect(passage).toMatch(/^… .+ …$/);
    expect(passage.length).toBeLessThanOrEqual(226);
  });

  it('is the beginning where a text has the words in another form only', () => {
    expect(passageOf(`Naïve is how it begins. ${filler}`, ['naiv'])).toMatch(/^Naïve is how it begins/);
    expect(passageOf(filler, [])).toMatch(/^and so on/);
  });

  it('takes what looks like a pattern for what it is', () => {
    expect(passageOf(`${filler} (a+)+$ here ${filler}`, ['(a+)+$'])).toMatch(/and so on/);
  });
});

describe('captions', () => {
  const file = `WEBVTT

NOTE nothing to read

00:01.000 --> 00:03.000 align:start
<v Ada>A reef knot &amp; a rope

second
01:00:02.500 --> 01:00:04.000
Pull the
bowline tight

not a time --> at all
x
`;

  it('are read as lines with their times, without markup', () => {
    expect(readCues(file)).toEqual([
      { start: 1, text: 'A reef knot & a rope' },
      { start: 3602.5, text: 'Pull the bowline tight' },
    ]);
    expect(readCues(file.replaceAll('\n', '\r\n'))).toHaveLength(2);
    expect(readCues('<html>')).toEqual([]);
  });

  it('lead to the line that has the most', () => {
    const cues = readCues(file);
    expect(bestCue(cues, ['bowlin', 'tight'])).toEqual({ start: 3602.5, text: 'Pull the bowline tight' });
    expect(bestCue(cues, ['knot', 'bowlin'])?.start).toBe(1);
    expect(bestCue(cues, ['python'])).toBeNull();
  });
});
