/** A part of a video in seconds, `from` before `to`. */
export type Interval = [from: number, to: number];

export const INTERVALS_MAX = 500;
export const PLAYBACK_RATE_MAX = 2;

const tenths = (seconds: number) => Math.round(seconds * 10) / 10;

/** Within the video, to a tenth of a second, sorted, none touching another. */
export function mergeIntervals(
  intervals: readonly (readonly [number, number])[],
  duration = Number.POSITIVE_INFINITY,
): Interval[] {
  const clean = intervals
    .map(([from, to]): Interval => [tenths(Math.max(0, from)), tenths(Math.min(duration, to))])
    .filter(([from, to]) => to > from)
    .sort((a, b) => a[0] - b[0]);
  const merged: Interval[] = [];
  for (const [from, to] of clean) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  if (merged.length <= INTERVALS_MAX) return merged;
  return merged
    .sort((a, b) => b[1] - b[0] - (a[1] - a[0]))
    .slice(0, INTERVALS_MAX)
    .sort((a, b) => a[0] - b[0]);
}

/** Adds what a player reports to what is known of a video. */
export function addWatched(
  known: readonly (readonly [number, number])[],
  reported: readonly (readonly [number, number])[],
  { duration, allowance }: { duration: number; allowance: number },
): Interval[] {
  const before = mergeIntervals(known, duration);
  const added: Interval[] = [];
  let room = Math.max(0, allowance);
  for (const [from, to] of mergeIntervals(reported, duration)) {
    for (const [start, end] of gaps(before, from, to)) {
      const counted = Math.min(end - start, room);
      if (counted > 0) added.push([start, start + counted]);
      room -= counted;
    }
  }
  return mergeIntervals([...before, ...added], duration);
}

function gaps(intervals: readonly Interval[], from: number, to: number): Interval[] {
  const found: Interval[] = [];
  let reached = from;
  for (const [start, end] of intervals) {
    if (end <= reached) continue;
    if (start >= to) break;
    if (start > reached) found.push([reached, start]);
    reached = end;
  }
  if (reached < to) found.push([reached, to]);
  return found;
}

/** Near its end a video starts over. */
const END_SECONDS = 5;

/** Where it stopped, or at the beginning after the end. */
export function resumeAt(position: number, duration: number | null): number {
  if (!Number.isFinite(position) || position < 1) return 0;
  return duration !== null && position > duration - END_SECONDS ? 0 : position;
}

/** 75 → "1:15", 3675 → "1:01:15". */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

interface NotedMoment {
  seconds: number;
  text: string;
}

export function notedMoments(notes: string): NotedMoment[] {
  return notes.split('\n').flatMap((line) => {
    const match = /\[(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d)\]/.exec(line);
    if (!match) return [];
    const [stamp, hours = '0', minutes, seconds] = match;
    return [
      {
        seconds: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
        text: line.replace(stamp, ' ').replace(/\s+/g, ' ').trim(),
      },
    ];
  });
}

/** Percent of a video that counts as watched where the course asks for it (decision 33). */
export const WATCHED_PERCENT = 90;

export function watchedSeconds(intervals: readonly (readonly [number, number])[]): number {
  let covered = 0;
  let reached = 0;
  for (const [from, to] of [...intervals].sort((a, b) => a[0] - b[0])) {
    const start = Math.max(from, reached);
    if (to > start) {
      covered += to - start;
      reached = to;
    }
  }
  return covered;
}

/** Whole percent; null where the length is unknown. */
export function watchedPercent(
  intervals: readonly (readonly [number, number])[],
  durationSeconds: number | null,
): number | null {
  if (!durationSeconds) return null;
  return Math.min(100, Math.floor((100 * watchedSeconds(intervals)) / durationSeconds));
}
