import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  CustomSource,
  EncodedPacketSink,
  Input,
  type InputFormat,
  type InputTrack,
  MATROSKA,
  MP4,
  QTFF,
  WEBM,
} from 'mediabunny';

// Reads few pieces of a video, on disk or in an object store, without ffmpeg.

/** The message is for the author. */
export class VideoError extends Error {
  override name = 'VideoError';
}

export const noVideo = () =>
  new VideoError('The file holds no video that can be read. It may be cut off or damaged.');

export interface VideoBytes {
  size: number;
  read: (range: { start: number; end: number }) => Readable | Promise<Readable>;
}

export async function bytesOfFile(path: string): Promise<VideoBytes> {
  return { size: (await stat(path)).size, read: (range) => createReadStream(path, range) };
}

export interface Container {
  mimeType: string;
  /** Lines of the picture. */
  height: number;
  codings: string[];
  /** Seconds that it claims. */
  promised: number;
  /** Seconds that are there. */
  there: number;
  isCut: boolean;
}

interface Length {
  there: number;
  isWhole: boolean;
}

/** Seconds that containers round. */
const SLACK_SECONDS = 2;
const PRECISION = 0.1;
const PIECE_MAX_BYTES = 64 * 1_048_576;
const FORMATS: InputFormat[] = [MP4, QTFF, WEBM, MATROSKA];

/**
 * Reads what a video claims, and whether all of it is there.
 * @throws {VideoError}
 */
export async function readContainer({ size, read }: VideoBytes): Promise<Container> {
  // An error of the storage is no fault of the video.
  let failure: { error: unknown } | undefined;
  const source = new CustomSource({
    getSize: () => size,
    read: async (start, end) => {
      // No honest file has such a piece.
      if (end - start > PIECE_MAX_BYTES) throw noVideo();
      try {
        const parts = (await (await read({ start, end: end - 1 })).toArray()) as Uint8Array[];
        return new Uint8Array(Buffer.concat(parts));
      } catch (error) {
        failure ??= { error };
        throw error;
      }
    },
    prefetchProfile: 'network',
    handleUnhandledError: (error) => {
      failure ??= { error };
    },
  });
  const input = new Input({ source, formats: FORMATS });
  try {
    const [format, [picture], sounds] = await Promise.all([
      input.getFormat(),
      input.getVideoTracks(),
      input.getAudioTracks(),
    ]);
    if (!picture) throw noVideo();
    const tracks = [picture, ...sounds];
    const lengths: Length[] = [];
    for (const track of tracks) lengths.push(await lengthOf(track));
    const cut = lengths.filter(({ isWhole }) => !isWhole);
    const there =
      cut.length > 0
        ? Math.min(...cut.map((one) => one.there))
        : Math.max(...lengths.map((one) => one.there));
    const promised = Math.max(there, (await input.getDurationFromMetadata(tracks)) ?? 0);
    if (!(promised > 0)) throw noVideo();
    return {
      mimeType: format.mimeType,
      height: await picture.getDisplayHeight(),
      codings: await Promise.all(tracks.map(async (track) => (await track.getCodec()) ?? 'unknown')),
      promised,
      there,
      isCut: cut.length > 0 || promised - there > SLACK_SECONDS,
    };
  } catch (error) {
    if (failure) throw failure.error;
    throw error instanceof VideoError ? error : noVideo();
  } finally {
    input.dispose();
  }
}

/** Why a video is not whole; '' where it is. */
export function cutText({ isCut, promised, there }: Container): string {
  if (!isCut) return '';
  return `is cut off: it says that it lasts ${Math.ceil(promised)} s, and only ${Math.floor(there)} s of it are there`;
}

const TABLES = { metadataOnly: true };

async function lengthOf(track: InputTrack): Promise<Length> {
  const pieces = new EncodedPacketSink(track);
  const last = await pieces.getPacket(Number.POSITIVE_INFINITY, TABLES);
  if (!last) return { there: 0, isWhole: true };
  let isWhole = (await pieces.getPacket(Number.POSITIVE_INFINITY)) !== null;
  // The last picture shown need not be the last in the file.
  for (let at = last; isWhole; ) {
    const next = await pieces.getNextPacket(at, TABLES);
    if (!next) return { there: last.timestamp + last.duration, isWhole };
    isWhole = (await pieces.getNextPacket(at)) !== null;
    at = next;
  }
  let [there, missing] = [await track.getFirstTimestamp(), last.timestamp];
  while (missing - there > PRECISION) {
    const middle = (there + missing) / 2;
    if (await pieces.getPacket(middle)) there = middle;
    else missing = middle;
  }
  return { there, isWhole };
}
