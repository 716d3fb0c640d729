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

// What a file of a video says of itself, read here and not by ffmpeg: few pieces of it, wherever its bytes lie.

/** A file that is no video, or none that can be read. The message is for its author. */
export class VideoError extends Error {
  override name = 'VideoError';
}

/** Of a file that tells nothing as a video. */
export const noVideo = () =>
  new VideoError('The file holds no video that can be read. It may be cut off or damaged.');

/** Where the bytes of a video lie. */
export interface VideoBytes {
  size: number;
  /** The bytes from `start` to `end`, both included. */
  read: (range: { start: number; end: number }) => Readable | Promise<Readable>;
}

/** The bytes of a file on this machine. */
export async function bytesOfFile(path: string): Promise<VideoBytes> {
  return { size: (await stat(path)).size, read: (range) => createReadStream(path, range) };
}

/** What a container says of its video. */
export interface Container {
  mimeType: string;
  /** Lines of its picture. */
  height: number;
  /** Names of its codings, of the picture first. */
  codings: string[];
  /** Seconds that it says it lasts. */
  promised: number;
  /** Seconds of it that are there. */
  there: number;
  isCut: boolean;
}

/** What one track says and has. */
interface Length {
  there: number;
  isWhole: boolean;
}

/** Seconds that a container may round, or leave its last picture standing. */
const SLACK_SECONDS = 2;
/** Parts of a second to which it is found out where a video is cut. */
const PRECISION = 0.1;
/** Bytes of a video that are held at once. */
const PIECE_MAX_BYTES = 64 * 1_048_576;
const FORMATS: InputFormat[] = [MP4, QTFF, WEBM, MATROSKA];

/**
 * Reads what a video says of itself, and whether all of that is there.
 *
 * @throws {VideoError} where it is none
 */
export async function readContainer({ size, read }: VideoBytes): Promise<Container> {
  // What went wrong where the bytes lie says nothing of the video.
  let failure: { error: unknown } | undefined;
  const source = new CustomSource({
    getSize: () => size,
    read: async (start, end) => {
      // What no honest file has in one piece.
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

/** Why a video is not whole, for its author; '' where it is. */
export function cutText({ isCut, promised, there }: Container): string {
  if (!isCut) return '';
  return `is cut off: it says that it lasts ${Math.ceil(promised)} s, and only ${Math.floor(there)} s of it are there`;
}

const TABLES = { metadataOnly: true };

/** Until when the pieces of a track are there: those at its end are asked for, and only where one is missing others. */
async function lengthOf(track: InputTrack): Promise<Length> {
  const pieces = new EncodedPacketSink(track);
  const last = await pieces.getPacket(Number.POSITIVE_INFINITY, TABLES);
  if (!last) return { there: 0, isWhole: true };
  let isWhole = (await pieces.getPacket(Number.POSITIVE_INFINITY)) !== null;
  // What is shown last need not be what comes last.
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
