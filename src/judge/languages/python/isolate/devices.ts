import { skip } from './clock.ts';
import type { DeviceOperations, FileSystem } from './module.ts';
import { keep, keepStep, type OutputName } from './output.ts';
import { decodeUtf8 } from '../../surroundings/utf8.ts';

const EIO = 29;

let input = new Uint8Array(0);
let inputAt = 0;

export function startInput(bytes: Uint8Array<ArrayBuffer>): void {
  input = bytes;
  inputAt = 0;
}

function device(FS: FileSystem, number: number, path: string, operations: DeviceOperations): void {
  const id = FS.makedev(64, number);
  const unsupported = () => {
    throw new FS.ErrnoError(EIO);
  };
  FS.registerDevice(id, {
    open(stream) {
      stream.seekable = false;
    },
    close() {},
    read: operations.read ?? unsupported,
    write: operations.write ?? unsupported,
  });
  FS.mkdev(path, id);
}

function writer(...names: OutputName[]): DeviceOperations {
  return {
    write(_stream, buffer, offset, length) {
      const bytes = buffer.subarray(offset, offset + length);
      for (const name of names) keep(name, bytes);
      return length;
    },
  };
}

export function makeDevices(FS: FileSystem): void {
  device(FS, 0, '/dev/program-input', {
    read(_stream, buffer, offset, length) {
      const part = input.subarray(inputAt, inputAt + length);
      buffer.set(part, offset);
      inputAt += part.length;
      return part.length;
    },
  });
  device(FS, 1, '/dev/program-output', writer('all', 'out', 'plain'));
  device(FS, 2, '/dev/program-errors', writer('all'));
  device(FS, 3, '/dev/clock', {
    write(_stream, buffer, offset, length) {
      const seconds = Number(decodeUtf8(buffer.subarray(offset, offset + Math.min(length, 32))));
      if (seconds > 0 && seconds < 1e9) skip(seconds * 1000);
      return length;
    },
  });
  device(FS, 4, '/dev/prompt', writer('all', 'out'));
  // Opened by the harness where a run is recorded.
  device(FS, 5, '/dev/program-record', {
    write(_stream, buffer, offset, length) {
      keepStep(buffer.subarray(offset, offset + length));
      return length;
    },
  });
  FS.createStandardStreams = () => {
    FS.open('/dev/program-input', 0);
    FS.open('/dev/program-output', 1);
    FS.open('/dev/program-errors', 1);
    FS.open('/dev/clock', 1);
    FS.open('/dev/prompt', 1);
  };
}
