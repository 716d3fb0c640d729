/** An unsigned LEB128 number. */
function leb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low | 128 : low);
  } while (rest > 0);
  return bytes;
}

const textOf = (text: string) => [...Buffer.from(text)];
const named = (text: string) => [...leb(textOf(text).length), ...textOf(text)];
const section = (id: number, body: number[]) => [id, ...leb(body.length), ...body];
const I32 = 0x7f;
const END = 0x0b;
const CONSTANT = (value: number) => [I32, 0, 0x41, ...signed(value), END];

/** A signed LEB128 number, for what is not negative. */
function signed(value: number): number[] {
  const bytes = leb(value);
  return (bytes.at(-1)! & 0x40) === 0 ? bytes : [...bytes.slice(0, -1), bytes.at(-1)! | 0x80, 0];
}

/**
 * A library for an engine that Emscripten compiled. Its loader runs the text of `EM_ASM` macros as JavaScript while it
 * loads the library, before the engine sees it: `script` is such a text.
 */
export function sideModule(script: string): Buffer {
  // The loader puts the text into the body of a function; this one ends it and is run at once.
  const text = [...textOf(`}, (() => { ${script} })(), () => {`), 0];
  const memory = [1, ...leb([...leb(text.length), 0, 0, 0].length), ...leb(text.length), 0, 0, 0];
  return Buffer.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(0, [...named('dylink.0'), ...memory]),
    ...section(2, [
      2,
      ...[...named('env'), ...named('memory'), 2, 0, 0],
      ...[...named('env'), ...named('__memory_base'), 3, I32, 0],
    ]),
    ...section(6, [2, ...CONSTANT(0), ...CONSTANT(text.length)]),
    ...section(7, [2, ...named('__start_em_asm'), 3, 1, ...named('__stop_em_asm'), 3, 2]),
    ...section(11, [1, 0, 0x23, 0, END, ...leb(text.length), ...text]),
  ]);
}

/** Statements by which a superuser has the engine load a library from its own text. */
export function loading(module: Buffer, path: string): string[] {
  const id = 100_000 + (module.length % 1_000);
  return [
    `SELECT lo_from_bytea(${id}, '\\x${module.toString('hex')}')`,
    `SELECT lo_export(${id}, '${path}')`,
    `LOAD '${path}'`,
  ];
}
