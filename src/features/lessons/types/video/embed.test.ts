import { describe, expect, it } from 'vitest';
import { embedOf, embedPolicy, isPlayable } from './embed.ts';

const ID = 'dQw4w9WgXcQ';
const YOUTUBE = `https://www.youtube-nocookie.com/embed/${ID}?autoplay=1&rel=0`;

describe('a link to a video of another site', () => {
  it.each([
    [`https://www.youtube.com/watch?v=${ID}`, YOUTUBE],
    [`https://youtube.com/watch?list=x&v=${ID}&t=1m30s`, `${YOUTUBE}&start=90`],
    [`http://m.youtube.com/watch?v=${ID}#x`, YOUTUBE],
    [`https://youtu.be/${ID}?t=42&si=abc`, `${YOUTUBE}&start=42`],
    [`https://www.youtube.com/embed/${ID}?start=7`, `${YOUTUBE}&start=7`],
    [`https://www.youtube.com/shorts/${ID}`, YOUTUBE],
    [`https://www.youtube-nocookie.com/embed/${ID}`, YOUTUBE],
    ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871?dnt=1&autoplay=1'],
    [
      'https://vimeo.com/76979871/ab12cd34ef#t=65s',
      'https://player.vimeo.com/video/76979871?h=ab12cd34ef&dnt=1&autoplay=1#t=65s',
    ],
    [
      'https://player.vimeo.com/video/76979871?h=ab12cd34ef',
      'https://player.vimeo.com/video/76979871?h=ab12cd34ef&dnt=1&autoplay=1',
    ],
    [
      'https://vimeo.com/channels/staffpicks/76979871',
      'https://player.vimeo.com/video/76979871?dnt=1&autoplay=1',
    ],
  ])('%s plays in the player without cookies', (address, frame) => {
    expect(embedOf(address)?.frame).toBe(frame);
    expect(isPlayable(address)).toBe(true);
  });

  it.each([
    'https://www.youtube.com/',
    'https://www.youtube.com/@someone',
    'https://www.youtube.com/playlist?list=PL1',
    'https://www.youtube.com/watch?v=short',
    `https://www.youtube.com/watch?v=${ID}"><script>`,
    `https://youtube.com.evil.test/watch?v=${ID}`,
    `https://evil.test/watch?v=${ID}`,
    'https://vimeo.com/about',
    'https://vimeo.com/76979871x',
    'https://example.com/lecture',
    'https://example.com/live.m3u8',
    'https://example.com/film.avi',
    'javascript:alert(1)',
    '',
  ])('%j is none', (address) => {
    expect(embedOf(address)).toBeNull();
    expect(isPlayable(address)).toBe(false);
  });

  it('of a file is played as a file', () => {
    expect(
      ['/files/x/a.mp4', 'https://example.com/a.MP4?key=1', 'https://example.com/a.webm'].map(isPlayable),
    ).toEqual([true, true, true]);
  });

  it('opens the policy of its page for its own player alone', () => {
    expect(embedPolicy([`https://youtu.be/${ID}`, null, 'https://example.com/a.mp4'])).toBe(
      'frame-src https://www.youtube-nocookie.com',
    );
    expect(embedPolicy([null, '/files/x/a.mp4'])).toBeNull();
  });
});
