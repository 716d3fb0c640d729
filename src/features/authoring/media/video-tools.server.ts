import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { rm, statfs } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { bytesOfFile, cutText, noVideo, readContainer, VideoError } from './video-container.server.ts';

// ffmpeg reads hostile input: it may open the given file alone, in the accepted containers.
const ONLY_THIS_FILE = [
  ...['-protocol_whitelist', 'file,pipe'],
  ...['-format_whitelist', 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm'],
];

const run = promisify(execFile);
const PROBE_MS = 60_000;
const PROBE_MAX_OUTPUT = 1_000_000;
/** With fewer free bytes, a failed conversion counts as a full disk. */
const LEAST_FREE_BYTES = 20_000_000;

let known: { path: string | undefined; converts: Promise<boolean> } | undefined;

/** Whether ffmpeg is there with the coders that every browser plays. */
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

export interface VideoFacts {
  duration: number;
  height: number | null;
  isPlayable: boolean;
  mimeType: string;
  codings: string[];
}

const PLAYED_PICTURES = /^(h264|avc|vp8|vp9|av1)$/;
const PLAYED_SOUNDS = /^(aac|mp3|opus|vorbis)$/;

const OTHER_CONTAINERS: Record<string, string> = {
  'video/webm': 'video/webm',
  'video/x-matroska': 'video/x-matroska',
};

/**
 * Reads a video's facts; ffprobe, where installed, knows more codecs.
 * @throws {VideoError}
 */
export async function readVideo(file: string, ending: string): Promise<VideoFacts> {
  const probe = (await canConvert()) ? await probed(file) : null;
  const container = await readContainer(await bytesOfFile(file));
  const cut = cutText(container);
  if (cut) throw new VideoError(`The video ${cut}. Export it again, and upload it whole.`);
  const mimeType = OTHER_CONTAINERS[container.mimeType] ?? 'video/mp4';
  if (!probe && (mimeType === 'video/webm') !== (ending === 'webm')) throw noVideo();
  const { height, codings, seconds } = probe ?? { ...container, seconds: container.promised };
  return {
    duration: Math.ceil(seconds),
    height,
    isPlayable: mimeType !== 'video/x-matroska' && arePlayed(codings),
    mimeType,
    codings,
  };
}

interface Probe {
  streams?: {
    codec_type?: string;
    codec_name?: string;
    height?: number;
    disposition?: { attached_pic?: number };
  }[];
  format?: { duration?: string };
}

async function probed(file: string) {
  const shown = 'format=duration:stream=codec_type,codec_name,height:stream_disposition=attached_pic';
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
  return { seconds, height: picture.height ?? null, codings };
}

const arePlayed = ([picture, ...sounds]: string[]) =>
  PLAYED_PICTURES.test(picture ?? '') && sounds.every((sound) => PLAYED_SOUNDS.test(sound));

// An orphan would run for an hour.
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/**
 * Runs ffmpeg at the lowest priority.
 * @param onSeconds gets the converted seconds
 * @throws {VideoError}
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

/** A JPEG from near the beginning. */
export function writePoster(file: string, duration: number, output: string, signal: AbortSignal) {
  const at = String(Math.min(3, duration / 2));
  const scale = "scale='min(1280,iw)':-2";
  return ffmpeg(file, ['-ss', at, '-frames:v', '1', '-vf', scale, '-f', 'mjpeg', output], signal);
}

/**
 * Converts to H.264 and AAC in an MP4 whose tables come first, so that it plays while it loads.
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
  // One thread leaves the site the others.
  const plain = ['-vf', `scale=-2:${height}`, '-threads', '1', '-map_metadata', '-1', '-sn', '-dn'];
  const container = ['-movflags', '+faststart', '-f', 'mp4', output];
  try {
    await ffmpeg(file, [...pictures, ...sounds, ...plain, ...container], signal, onSeconds);
  } catch (error) {
    // ffmpeg gives no reason; a full disk is no fault of the video.
    const { bavail, bsize } = await statfs(dirname(output));
    await rm(output, { force: true });
    if (error instanceof VideoError && bavail * bsize < LEAST_FREE_BYTES) {
      throw Object.assign(new Error('No room for a converted video'), { code: 'ENOSPC' });
    }
    throw error;
  }
}
