import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  MkvOutputFormat,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny';

const FORMATS = {
  mp4: () => new Mp4OutputFormat({ fastStart: 'in-memory' }),
  webm: () => new WebMOutputFormat(),
  mkv: () => new MkvOutputFormat(),
};
const PER_SECOND = 10;

/** A video whose tables say what they must, of pictures that nobody can decode. */
export async function videoFile(kind: keyof typeof FORMATS, seconds: number): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: FORMATS[kind](), target });
  const pictures = new EncodedVideoPacketSource('vp8');
  output.addVideoTrack(pictures, { frameRate: PER_SECOND });
  await output.start();
  const decoderConfig = { codec: 'vp8', codedWidth: 320, codedHeight: 180 };
  for (let at = 0; at < seconds * PER_SECOND; at += 1) {
    const type = at % PER_SECOND === 0 ? 'key' : 'delta';
    const packet = new EncodedPacket(new Uint8Array(500).fill(at), type, at / PER_SECOND, 1 / PER_SECOND);
    await pictures.add(packet, { decoderConfig });
  }
  await output.finalize();
  return Buffer.from(target.buffer!);
}
