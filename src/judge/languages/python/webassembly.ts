/** WebAssembly core specification 5.5. */
const MEMORY = 5;
const EXPORT = 7;

class Cursor {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    return this.bytes[this.at++]!;
  }

  number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  name(): string {
    const length = this.number();
    this.at += length;
    return Buffer.from(this.bytes.subarray(this.at - length, this.at)).toString('utf8');
  }
}

function encodeNumber(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low | 128 : low);
  } while (rest > 0);
  return Buffer.from(bytes);
}

function section(id: number, body: Uint8Array): Uint8Array[] {
  return [Buffer.from([id]), encodeNumber(body.length), body];
}

function memorySection(cursor: Cursor, maximumPages: number): Uint8Array {
  if (cursor.number() !== 1) throw new Error('expected one memory');
  const flags = cursor.byte();
  const minimum = cursor.number();
  if (flags > 1 || minimum > maximumPages) throw new Error('expected a plain, smaller memory');
  return Buffer.concat([Buffer.from([1, 1]), encodeNumber(minimum), encodeNumber(maximumPages)]);
}

function exportSection(cursor: Cursor, keep: (name: string) => boolean): Uint8Array {
  const kept: Uint8Array[] = [];
  for (let left = cursor.number(); left > 0; left--) {
    const start = cursor.at;
    const name = cursor.name();
    cursor.byte();
    cursor.number();
    if (keep(name)) kept.push(cursor.bytes.subarray(start, cursor.at));
  }
  return Buffer.concat([encodeNumber(kept.length), ...kept]);
}

/** Each export costs time in every instance, and what has no name cannot be called. */
export function exportNames(module: Uint8Array): string[] {
  const names: string[] = [];
  editExports(module, (name) => names.push(name) < 0, 65_536);
  return names;
}

export function editExports(
  module: Uint8Array,
  keep: (name: string) => boolean,
  maximumPages: number,
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [module.subarray(0, 8)];
  const cursor = new Cursor(module, 8);
  while (cursor.at < module.length) {
    const start = cursor.at;
    const id = cursor.byte();
    const end = cursor.number() + cursor.at;
    if (id === MEMORY) parts.push(...section(id, memorySection(cursor, maximumPages)));
    else if (id === EXPORT) parts.push(...section(id, exportSection(cursor, keep)));
    else parts.push(module.subarray(start, end));
    cursor.at = end;
  }
  return new Uint8Array(Buffer.concat(parts));
}
