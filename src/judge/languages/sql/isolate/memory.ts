/** What the engine exports of its memory, as Emscripten names it. */
export interface MemoryExports {
  /** Where what is allocated begins, behind what is static. */
  __heap_base: WebAssembly.Global<'i32'>;
  __stack_pointer: WebAssembly.Global<'i32'>;
  /** The address of the number that says where the memory in use ends. */
  emscripten_get_sbrk_ptr(): number;
}

interface Before {
  room: Uint8Array<ArrayBuffer>;
  bytes: Uint8Array;
  stack: number;
}

/** What the memory in use may grow by until a mark needs new room. */
const SPARE_BYTES = 1_048_576;

/** An engine's memory, which can go back to a mark. What lies beyond the memory in use has never been written. */
export class Memory {
  #exports: MemoryExports;
  #heap: () => Uint8Array<ArrayBuffer>;
  #marks: Before[] = [];
  #spare: Uint8Array<ArrayBuffer> | null = null;

  /** @param heap gives all of the memory, which is another object once it has grown */
  constructor(exports: MemoryExports, heap: () => Uint8Array<ArrayBuffer>) {
    this.#exports = exports;
    this.#heap = heap;
  }

  /** Bytes of memory, used or not. */
  get size(): number {
    return this.#heap().length;
  }

  get #used(): number {
    const { buffer } = this.#heap();
    return new DataView(buffer).getUint32(this.#exports.emscripten_get_sbrk_ptr(), true);
  }

  /** What `back` goes back to from now on, until `toFirst`. */
  mark(): void {
    const used = this.#used;
    // The room of an earlier mark is taken again: new memory costs more than the copy.
    const room = this.#spare && this.#spare.length >= used ? this.#spare : new Uint8Array(used + SPARE_BYTES);
    this.#spare = null;
    room.set(this.#heap().subarray(0, used));
    this.#marks.push({ room, bytes: room.subarray(0, used), stack: this.#exports.__stack_pointer.value });
  }

  /** Everything is as it was at the newest mark. */
  back(): void {
    const before = this.#marks.at(-1);
    if (!before) throw new Error('there is no mark to go back to');
    const heap = this.#heap();
    const used = this.#used;
    heap.set(before.bytes);
    if (used > before.bytes.length) heap.fill(0, before.bytes.length, used);
    this.#exports.__stack_pointer.value = before.stack;
  }

  /** Everything is as it was at the first mark, and the others are forgotten. */
  toFirst(): void {
    if (this.#marks.length > 1) this.#spare = this.#marks.at(-1)!.room;
    this.#marks.length = 1;
    this.back();
  }
}
