import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { open, rm, statfs } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createFile, type Movie, MP4BoxBuffer } from 'mp4box';

// What is done with videos by ffmpeg, on machines that have it. Its input is hostile: it may open the one file that it is
// given and nothing else, in the containers that are taken here.
const ONLY_THIS_FILE = [
  ...['-protocol_whitelist', 'file,pipe'],
  ...['-format_whitelist', 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm'],
];

const run = promisify(execFile);
const PROBE_MS = 60_000;
const PROBE_MAX_OUTPUT = 1_000_000;
/** Bytes of disk with less of which a conversion that failed is taken to have run out of it. */
const LEAST_FREE_BYTES = 20_000_000;

let known: { path: string | undefined; converts: Promise<boolean> } | undefined;

/** Whether this machine can convert videos: it has ffmpeg with the coders that every browser plays. */
export function canConvert(): Promise<boolean> {
  const { PATH: path } = process.env;
  if (known?.path !== path) {
    const converts = run('ffmpeg', ['-hide_banner', '-encoders'], { timeout: PROBE_MS }).then(
      ({ stdout }) => /\blibx264\b/.test(stdout) && /\baac\b/.test(stdout),
      () => false,
    );
    known = { path, converts };
  }
  return known!.converts;
}

/** What is known of a video from its file. */
export interface VideoFacts {
  /** Seconds, rounded up; null where the file does not say. */
  duration: number | null;
  height: number | null;
  /** Every browser plays it as it is. */
  isPlayable: boolean;
  mimeType: string;
  /** Names of its codings, for its author. */
  codings: string[];
}

/** A file that is no video, or none that can be read. The message is for its author. */
export class VideoError extends Error {
  override name = 'VideoError';
}

const noVideo = () =>
  new VideoError('The file holds no video that can be read. It may be cut off or damaged.');
const PLAYED_PICTURES = /^(h264|avc1|avc3|vp8|vp9|vp09|av1|av01)/;
const PLAYED_SOUNDS = /^(aac|mp4a|mp3|opus|vorbis)/;

/**
 * Reads what a video is: by ffprobe where the machine has it, else the tables of an MP4 itself. Of a WebM only the kind
 * is known without ffprobe.
 *
 * @throws {VideoError} where it is none
 */
export async function readVideo(file: string, ending: string): Promise<VideoFacts> {
  if (await canConvert()) return probed(file);
  return ending === 'webm' ? headOfWebm(file) : tablesOfMp4(file);
}

interface Probe {
  streams?: {
    codec_type?: string;
    codec_name?: string;
    height?: number;
    disposition?: { attached_pic?: number };
  }[];
  format?: { duration?: string; format_name?: string };
}

async function probed(file: string): Promise<VideoFacts> {
  const shown =
    'format=duration,format_name:stream=codec_type,codec_name,height:stream_disposition=attached_pic';
  const options = ['-v', 'error', ...ONLY_THIS_FILE, '-show_entries', shown, '-of', 'json', '-i', file];
  const { stdout } = await run('ffprobe', options, {
    timeout: PROBE_MS,
    maxBuffer: PROBE_MAX_OUTPUT,
  }).catch(() => {
    throw noVideo();
  });
  const { streams = [], format } = JSON.parse(stdout) as Probe;
  const picture = streams.find(
    ({ codec_type: type, disposition }) => type === 'video' && !disposition?.attached_pic,
  );
  const seconds = Number(format?.duration);
  if (!picture || !(seconds > 0)) throw noVideo();
  const codings = [picture, ...streams.filter(({ codec_type: type }) => type === 'audio')].map(
    ({ codec_name: name }) => name ?? 'unknown',
  );
  const isWebm =
    format?.format_name?.includes('webm') === true && codings.every((name) => !/^(h264|aac)/.test(name));
  const isMp4 = format?.format_name?.includes('mp4') === true;
  return {
    duration: Math.ceil(seconds),
    height: picture.height ?? null,
    isPlayable: (isMp4 || isWebm) && arePlayed(codings),
    mimeType: isWebm ? 'video/webm' : isMp4 ? 'video/mp4' : 'application/octet-stream',
    codings,
  };
}

const arePlayed = ([picture, ...sounds]: string[]) =>
  PLAYED_PICTURES.test(picture ?? '') && sounds.every((sound) => PLAYED_SOUNDS.test(sound));

async function headOfWebm(file: string): Promise<VideoFacts> {
  const handle = await open(file);
  try {
    const head = Buffer.alloc(64);
    await handle.read(head, 0, head.length, 0);
    if (head.readUInt32BE(0) !== 0x1a45dfa3 || !head.includes('webm')) throw noVideo();
  } finally {
    await handle.close();
  }
  return { duration: null, height: null, isPlayable: true, mimeType: 'video/webm', codings: [] };
}

const READ_BYTES = 262_144;

/** The tables of an MP4 lie at its beginning or its end; what is between is passed over. */
async function tablesOfMp4(path: string): Promise<VideoFacts> {
  const handle = await open(path);
  let movie: Movie | undefined;
  try {
    const { size } = await handle.stat();
    const reader = createFile(false);
    reader.onReady = (found) => {
      movie = found;
    };
    reader.onError = () => {
      throw noVideo();
    };
    for (let at = 0; at < size && !movie; ) {
      const bytes = new Uint8Array(Math.min(READ_BYTES, size - at));
      await handle.read(bytes, 0, bytes.length, at);
      const next = reader.appendBuffer(MP4BoxBuffer.fromArrayBuffer(bytes.buffer, at));
      at = next !== undefined && next > at ? next : at + bytes.length;
    }
  } catch (error) {
    throw error instanceof VideoError ? error : noVideo();
  } finally {
    await handle.close();
  }
  const picture = movie?.tracks.find(({ type }) => type === 'video');
  if (!movie || !picture) throw noVideo();
  const codings = [picture, ...movie.tracks.filter(({ type }) => type === 'audio')].map(({ codec }) => codec);
  return {
    duration: Math.ceil(movie.duration / movie.timescale) || null,
    height: picture.video?.height ?? null,
    isPlayable: arePlayed(codings),
    mimeType: 'video/mp4',
    codings,
  };
}

// A process that is left behind would go on for an hour.
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/**
 * Runs ffmpeg on a file, after everything else on this machine.
 *
 * @param onSeconds told how many seconds of the video are done
 * @throws {VideoError} where it failed
 */
async function ffmpeg(
  file: string,
  output: string[],
  signal: AbortSignal,
  onSeconds: (seconds: number) => void = () => {},
): Promise<void> {
  const options = ['-nostdin', '-v', 'error', '-y', ...ONLY_THIS_FILE, '-i', file, '-progress', 'pipe:1'];
  const child = spawn('ffmpeg', [...options, ...output], {
    stdio: ['ignore', 'pipe', 'ignore'],
    signal,
    killSignal: 'SIGKILL',
    env: { PATH: process.env.PATH },
  });
  children.add(child);
  try {
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const [, microseconds] = /^out_time_us=(\d+)$/.exec(line) ?? [];
      if (microseconds) onSeconds(Number(microseconds) / 1e6);
    });
    const code = await new Promise<number | null>((done, fail) => {
      child.once('close', done);
      child.once('error', fail);
    });
    if (code !== 0) throw new VideoError('The video could not be converted. It may be damaged.');
  } finally {
    children.delete(child);
  }
}

/** A picture of a video, from near its beginning, as JPEG. */
export function writePoster(file: string, duration: number | null, output: string, signal: AbortSignal) {
  const at = String(Math.min(3, (duration ?? 0) / 2));
  const scale = "scale='min(1280,iw)':-2";
  return ffmpeg(file, ['-ss', at, '-frames:v', '1', '-vf', scale, '-f', 'mjpeg', output], signal);
}

/**
 * Converts a video to H.264 and AAC in an MP4 whose tables come first, so that it begins to play while it loads.
 *
 * @param height lines of the result
 */
export async function convert(
  file: string,
  height: number,
  output: string,
  signal: AbortSignal,
  onSeconds: (seconds: number) => void,
): Promise<void> {
  const pictures = [
    '-map',
    '0:v:0',
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-crf',
    '23',
    '-pix_fmt',
    'yuv420p',
  ];
  const sounds = ['-map', '0:a:0?', '-c:a', 'aac', '-b:a', '128k', '-ac', '2'];
  // One processor: the site has the others.
  const plain = ['-vf', `scale=-2:${height}`, '-threads', '1', '-map_metadata', '-1', '-sn', '-dn'];
  const container = ['-movflags', '+faststart', '-f', 'mp4', output];
  try {
    await ffmpeg(file, [...pictures, ...sounds, ...plain, ...container], signal, onSeconds);
  } catch (error) {
    // It does not say why it ended. What it could not write is no fault of the video.
    const { bavail, bsize } = await statfs(dirname(output));
    await rm(output, { force: true });
    if (error instanceof VideoError && bavail * bsize < LEAST_FREE_BYTES) {
      throw Object.assign(new Error('No room for a converted video'), { code: 'ENOSPC' });
    }
    throw error;
  }
}
