/** By Emscripten's names. */
export interface MemoryExports {
  /** Start of the heap. */
  __heap_base: WebAssembly.Global<'i32'>;
  __stack_pointer: WebAssembly.Global<'i32'>;
  /** Address of the break. */
  emscripten_get_sbrk_ptr(): number;
}

interface Before {
  room: Uint8Array<ArrayBuffer>;
  bytes: Uint8Array;
  stack: number;
}

/** Growth without a new allocation. */
const SPARE_BYTES = 1_048_576;

/** An engine's memory with marks; beyond the break it was never written. */
export class Memory {
  #exports: MemoryExports;
  #heap: () => Uint8Array<ArrayBuffer>;
  #marks: Before[] = [];
  #spare: Uint8Array<ArrayBuffer> | null = null;

  /** @param heap the memory's view, which growth replaces */
  constructor(exports: MemoryExports, heap: () => Uint8Array<ArrayBuffer>) {
    this.#exports = exports;
    this.#heap = heap;
  }

  /** Bytes, used or not. */
  get size(): number {
    return this.#heap().length;
  }

  get #used(): number {
    const { buffer } = this.#heap();
    return new DataView(buffer).getUint32(this.#exports.emscripten_get_sbrk_ptr(), true);
  }

  /** For `back`, until `toFirst`. */
  mark(): void {
    const used = this.#used;
    // Reused: allocating costs more than copying.
    const room = this.#spare && this.#spare.length >= used ? this.#spare : new Uint8Array(used + SPARE_BYTES);
    this.#spare = null;
    room.set(this.#heap().subarray(0, used));
    this.#marks.push({ room, bytes: room.subarray(0, used), stack: this.#exports.__stack_pointer.value });
  }

  /** To the newest mark. */
  back(): void {
    const before = this.#marks.at(-1);
    if (!before) throw new Error('there is no mark to go back to');
    const heap = this.#heap();
    const used = this.#used;
    heap.set(before.bytes);
    if (used > before.bytes.length) heap.fill(0, before.bytes.length, used);
    this.#exports.__stack_pointer.value = before.stack;
  }

  /** Forgets the other marks. */
  toFirst(): void {
    if (this.#marks.length > 1) this.#spare = this.#marks.at(-1)!.room;
    this.#marks.length = 1;
    this.back();
  }
}
