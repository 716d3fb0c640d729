// Runs inside the isolate, after the interpreter's glue in the same script, never in Node. The script's value is one
// object of functions; whoever holds references to them starts an interpreter and runs programs in it. Nothing of the
// host is reachable from here: no callback, no module, and of memory only a board of this isolate's own, for its output
// and the interrupt that stops a program.

(() => {
  const OUTPUT_BYTES = 65_536;
  /** As `sandbox.ts` has it. */
  const BOARD_HEAD_BYTES = 32;
  const FILE_BYTES = 16 * 1024 * 1024;
  const FILE_NODES = 4_096;
  /** As `build.ts` sets it in the module. */
  const MEMORY_BYTES = 128 * 1024 * 1024;
  const BALLAST_BYTES = 393_216;
  const HOME = '/home/learner';
  const ENOSYS = 52;
  const ENETUNREACH = 40;
  const ENOSPC = 51;
  const EROFS = 69;

  const messages = [];
  const note = (...parts) => messages.length < 100 && messages.push(parts.map(String).join(' '));

  // ---- What the glue expects of its surroundings -------------------------------------------------------------------

  const realNow = Date.now;
  const started = realNow();
  let skewMs = 0;
  let lastNow = 0;
  Date.now = () => realNow() + skewMs;

  function decodeUtf8(bytes) {
    const parts = [];
    let text = '';
    for (let i = 0; i < bytes.length; ) {
      const lead = bytes[i++];
      let code = lead;
      let more = 0;
      if (lead >= 0xf0) [code, more] = [lead & 7, 3];
      else if (lead >= 0xe0) [code, more] = [lead & 15, 2];
      else if (lead >= 0xc0) [code, more] = [lead & 31, 1];
      else if (lead >= 0x80) code = 0xfffd;
      // A character cut in two by the end of the buffer is left out.
      if (i + more > bytes.length) break;
      for (; more > 0 && (bytes[i] & 0xc0) === 0x80; more--) code = (code << 6) | (bytes[i++] & 63);
      text += more > 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
      if (text.length > 4096) {
        parts.push(text);
        text = '';
      }
    }
    return parts.join('') + text;
  }

  function encodeUtf8(text) {
    const bytes = new Uint8Array(text.length * 3);
    let end = 0;
    for (let i = 0; i < text.length; i++) {
      let code = text.charCodeAt(i);
      if (code < 0x80) {
        bytes[end++] = code;
        continue;
      }
      if (code >= 0xd800 && code < 0xe000) {
        const next = text.charCodeAt(i + 1);
        if (code < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
          code = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
          i++;
        } else code = 0xfffd;
      }
      if (code < 0x800) bytes[end++] = 0xc0 | (code >> 6);
      else {
        if (code < 0x10000) bytes[end++] = 0xe0 | (code >> 12);
        else {
          bytes[end++] = 0xf0 | (code >> 18);
          bytes[end++] = 0x80 | ((code >> 12) & 63);
        }
        bytes[end++] = 0x80 | ((code >> 6) & 63);
      }
      bytes[end++] = 0x80 | (code & 63);
    }
    return bytes.subarray(0, end);
  }

  // Small fast counter generator, keyed for every run by the host; programs in lessons need no more.
  const entropy = new Uint32Array([1, 2, 3, 4]);
  function randomWord() {
    const sum = (entropy[0] + entropy[1] + entropy[3]) | 0;
    entropy[3] = entropy[3] + 1;
    entropy[0] = entropy[1] ^ (entropy[1] >>> 9);
    entropy[1] = entropy[2] + (entropy[2] << 3);
    entropy[2] = ((entropy[2] << 21) | (entropy[2] >>> 11)) + sum;
    return sum;
  }

  globalThis.performance = {
    // Never the same twice: programs divide by the time they took.
    now() {
      lastNow = Math.max(lastNow + 0.001, realNow() - started + skewMs);
      return lastNow;
    },
  };
  globalThis.console = { log: note, warn: note, error: note, info: note, debug: note };
  globalThis.setTimeout = () => 0;
  globalThis.clearTimeout = () => {};
  globalThis.TextDecoder = class {
    decode(bytes) {
      return bytes ? decodeUtf8(bytes) : '';
    }
  };
  globalThis.TextEncoder = class {
    encode(text) {
      return encodeUtf8(text);
    }
  };
  globalThis.crypto = {
    getRandomValues(view) {
      for (let i = 0; i < view.length; i++) view[i] = randomWord() >>> 3;
      return view;
    },
  };

  // ---- What the interpreter may call -------------------------------------------------------------------------------

  const ALLOWED_IMPORTS = new Set(
    `exit proc_exit _abort_js __assert_fail environ_sizes_get environ_get fd_close fd_read fd_write fd_sync fd_seek fd_pread
     fd_pwrite fd_fdstat_get clock_res_get clock_time_get random_get emscripten_asm_const_int emscripten_date_now
     emscripten_get_now emscripten_get_heap_max emscripten_resize_heap emscripten_runtime_keepalive_push
     emscripten_runtime_keepalive_pop _emscripten_runtime_keepalive_clear _emscripten_get_progname _Py_emscripten_runtime
     _Py_CheckEmscriptenSignals_Helper _PyEM_TrampolineCall_JS __call_sighandler __syscall_getuid32_js
     __syscall_umask_js __syscall_ioctl __syscall_fcntl64 __syscall_openat __syscall_faccessat __syscall_chdir
     __syscall_chmod __syscall_fchownat __syscall_dup __syscall_dup3 __syscall_fchdir __syscall_fchmod
     __syscall_fchmodat2 __syscall_fchown32 __syscall_fdatasync __syscall_fstat64 __syscall_stat64 __syscall_newfstatat
     __syscall_lstat64 __syscall_ftruncate64 __syscall_getcwd __syscall_getdents64 __syscall_mkdirat
     __syscall_readlinkat __syscall_unlinkat __syscall_rmdir __syscall_renameat __syscall_symlinkat __syscall_statfs64
     __syscall_fstatfs64 __syscall_truncate64 __syscall_utimensat __syscall_poll __syscall_fadvise64 _tzset_js
     _timegm_js _mktime_js _localtime_js _gmtime_js _munmap_js _msync_js _mmap_js`.split(/\s+/),
  );
  const REFUSED_IMPORTS = {
    __syscall_socket: -ENETUNREACH,
    __syscall_pipe: -ENOSYS,
    __syscall_mknodat: -ENOSYS,
    __syscall_fallocate: -ENOSYS,
    getaddrinfo: -4,
    getnameinfo: -4,
    getprotobyname: 0,
    _emscripten_lookup_name: 0,
    _emscripten_system: -ENOSYS,
    _setitimer_js: 0,
    _dlopen_js: 0,
    _dlsym_js: 0,
    __hiwire_deduplicate_new: null,
    _maybe_connect_async: null,
    _maybe_recvfrom_async: null,
    _maybe_sendto_async: null,
    _maybe_poll_async: null,
    _try_fcntl64: 0,
    _try_shutdown: 0,
  };

  /** Leaves the interpreter only what a program needs: everything that reaches JavaScript, sockets or code loading goes. */
  function narrow(imports) {
    for (const module of [imports.env, imports.wasi_snapshot_preview1]) {
      for (const name of Object.keys(module)) {
        if (ALLOWED_IMPORTS.has(name)) continue;
        const result = REFUSED_IMPORTS[name];
        module[name] =
          result !== undefined
            ? () => result
            : () => {
                throw new Error(`not available: ${name}`);
              };
      }
    }
    for (const name of ['Jsv_GetError_import', 'JsvError_Check']) imports.env[name] = () => 0;
    // Graphics functions that no program here can name.
    const nowhere = new WebAssembly.Global({ value: 'i32', mutable: true }, 0);
    imports['GOT.func'] = new Proxy({}, { get: () => nowhere });
  }

  // ---- Files, input and output -------------------------------------------------------------------------------------

  const output = {
    /** Everything, as the learner sees it; shared with the host, so that it outlives a program that is stopped. */
    all: new Uint8Array(OUTPUT_BYTES),
    allEnd: 0,
    /** Standard output, as the shell would see it. */
    out: new Uint8Array(OUTPUT_BYTES),
    outEnd: 0,
    /** Standard output without the prompts of input(). */
    plain: new Uint8Array(OUTPUT_BYTES),
    plainEnd: 0,
    over: false,
  };
  let input = new Uint8Array(0);
  let inputAt = 0;
  let filesSealed = false;
  let fileBytes = 0;
  let fileNodes = 0;
  /**
   * What the host and this isolate share: the interrupt, the length of the output, the phase, whether it is full, and
   * which of the tests runs.
   */
  let board = new Int32Array(5);
  let interruptByte = new Uint8Array(board.buffer);
  const PHASES = ['start', 'program', 'call', 'end'];
  let M;

  function keep(name, bytes) {
    const end = output[`${name}End`];
    const room = OUTPUT_BYTES - end;
    output[name].set(bytes.length > room ? bytes.subarray(0, room) : bytes, end);
    output[`${name}End`] = Math.min(OUTPUT_BYTES, end + bytes.length);
    if (bytes.length > room) {
      output.over = true;
      interruptByte[0] = 2;
    }
    board[1] = output.allEnd;
    board[3] = output.over ? 1 : 0;
  }

  function device(FS, number, path, operations) {
    const id = FS.makedev(64, number);
    const unsupported = () => {
      throw new FS.ErrnoError(29);
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

  function makeFiles(Module, stdlib) {
    const FS = Module.FS;
    FS.mkdirTree('/lib/python3.14/site-packages');
    FS.mkdirTree('/lib/python3.14/lib-dynload');
    FS.writeFile('/lib/python314.zip', stdlib, { canOwn: true });
    FS.mkdirTree(HOME);
    FS.chdir(HOME);
    const writer = (...names) => ({
      write(_stream, buffer, offset, length) {
        const bytes = buffer.subarray(offset, offset + length);
        for (const name of names) keep(name, bytes);
        return length;
      },
    });
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
        if (seconds > 0 && seconds < 1e9) skewMs += seconds * 1000;
        return length;
      },
    });
    device(FS, 4, '/dev/prompt', writer('all', 'out'));
    FS.createStandardStreams = () => {
      FS.open('/dev/program-input', 0);
      FS.open('/dev/program-output', 1);
      FS.open('/dev/program-errors', 1);
      FS.open('/dev/clock', 1);
      FS.open('/dev/prompt', 1);
    };

    // Files live outside the interpreter's memory and need a bound of their own.
    const MEMFS = FS.filesystems.MEMFS;
    const bounded = (node, size, change) => {
      const before = node.contents?.length ?? 0;
      if (filesSealed && size > before && fileBytes + (size - before) > FILE_BYTES)
        throw new FS.ErrnoError(ENOSPC);
      const result = change();
      fileBytes += (node.contents?.length ?? 0) - before;
      return result;
    };
    const fileOperations = MEMFS.ops_table.file.stream;
    const write = fileOperations.write;
    fileOperations.write = (stream, buffer, offset, length, position, canOwn) => {
      refuseElsewhere(stream.node);
      return bounded(stream.node, position + length, () =>
        write(stream, buffer, offset, length, position, canOwn),
      );
    };
    const resize = MEMFS.resizeFileStorage;
    MEMFS.resizeFileStorage = (node, size) => bounded(node, size, () => resize(node, size));
    // What lies elsewhere is the same for every test: nothing there has to be put back.
    const own = () => [HOME, '/tmp'].map((path) => FS.lookupPath(path).node);
    let folders = null;
    const refuseElsewhere = (node) => {
      if (!filesSealed) return;
      folders ??= own();
      for (let at = node; !folders.includes(at); at = at.parent)
        if (at.parent === at) throw new FS.ErrnoError(EROFS);
    };
    /** Which of an operation's nodes have to be the program's own: what is changed, or the folder of it. */
    const guarded = { mknod: [0], symlink: [0], unlink: [0], rmdir: [0], rename: [0, 1], setattr: [0] };
    for (const { node: operations } of Object.values(MEMFS.ops_table)) {
      for (const [name, places] of Object.entries(guarded)) {
        const original = operations[name];
        if (!original) continue;
        operations[name] = (...values) => {
          for (const place of places) refuseElsewhere(values[place]);
          if (name === 'rename' || name === 'rmdir') refuseFolders(name, values);
          return original(...values);
        };
      }
    }
    const refuseFolders = (name, [node, second]) => {
      if (!filesSealed) return;
      const target = name === 'rename' ? node : FS.lookupNode(node, second);
      if (folders.includes(target)) throw new FS.ErrnoError(EROFS);
    };
    const createNode = FS.createNode;
    FS.createNode = (...parts) => {
      if (++fileNodes > FILE_NODES) throw new FS.ErrnoError(ENOSPC);
      return createNode(...parts);
    };
  }

  function emptyFolder(FS, path) {
    for (const name of FS.readdir(path)) {
      if (name === '.' || name === '..') continue;
      const child = `${path}/${name}`;
      const mode = FS.lstat(child).mode;
      if (FS.isDir(mode)) {
        emptyFolder(FS, child);
        FS.rmdir(child);
      } else FS.unlink(child);
    }
  }

  // ---- Start -------------------------------------------------------------------------------------------------------

  const pointers = {};
  let failed = null;

  /**
   * Starts the interpreter. The last three are absent for a cold start (then `finishCold` runs the harness):
   * numbers of the 4 KB pages to overwrite, their contents one after the other, and `{ length, stack, functions }`:
   * the size of the memory, the stack pointer, and where the harness's functions are.
   */
  function boot(module, stdlib, shared, pages, data, rest) {
    const snapshot = pages && { pages, data, ...rest };
    board = new Int32Array(shared, 0, 5);
    interruptByte = new Uint8Array(shared, 0, 1);
    output.all = new Uint8Array(shared, BOARD_HEAD_BYTES, OUTPUT_BYTES);
    const settings = {
      noImageDecoding: true,
      noAudioDecoding: true,
      noWasmDecoding: true,
      noInitialRun: snapshot !== undefined,
      API: { config: {}, runtimeEnv: {} },
      thisProgram: 'python',
      arguments: [],
      print: note,
      printErr: note,
      preRun: [
        (Module) => {
          // A copy: the buffer that came in is shared by all isolates of the process.
          makeFiles(Module, new Uint8Array(stdlib).slice());
          Object.assign(Module.ENV, {
            HOME,
            USER: 'learner',
            LOGNAME: 'learner',
            PATH: '/usr/bin',
            PWD: HOME,
          });
          Object.assign(Module.ENV, { PYTHONHASHSEED: '0', NO_COLOR: '1', LANG: 'C.UTF-8' });
        },
      ],
      instantiateWasm(imports, receive) {
        narrow(imports);
        receive(new WebAssembly.Instance(module, imports), module);
        return {};
      },
    };
    createPyodideModule(settings).then(
      (Module) => {
        try {
          M = Module;
          if (snapshot) restore(new Uint32Array(snapshot.pages), new Uint8Array(snapshot.data), snapshot);
        } catch (error) {
          failed = error;
        }
      },
      (error) => {
        failed = error;
      },
    );
  }

  /** Memory for reporting an error when the program has used up the rest; 0 where there is none. */
  let ballast = 0;
  /** Whether the last program could have left something behind. */
  let used = false;
  /** The prepared interpreter's memory; null in a cold start. */
  let image = null;

  function copyPages(from, to) {
    const { pages, data } = image;
    const heap = M.HEAPU8;
    for (let i = from; i < to; ) {
      // Neighbouring pages are copied in one go.
      let end = i + 1;
      while (end < to && pages[end] === pages[end - 1] + 1) end++;
      heap.set(data.subarray(i * 4096, end * 4096), pages[i] * 4096);
      i = end;
    }
  }

  function restore(pages, data, snapshot) {
    if (M.HEAPU8.length < snapshot.length && !M.growMemory(snapshot.length)) throw new Error('no memory');
    image = { pages, data, stack: snapshot.stack, zeros: null };
    copyPages(0, snapshot.differing);
    M.stackRestore(snapshot.stack);
    Object.assign(pointers, snapshot.functions);
    seal();
  }

  /** Runs of pages that are zero in the image, as [first, end); the last one goes to the end of any memory. */
  function zeroRuns() {
    const filled = [...image.pages].sort((a, b) => a - b);
    const runs = [];
    let next = 0;
    for (const page of filled) {
      if (page > next) runs.push([next, page]);
      next = page + 1;
    }
    runs.push([next, Infinity]);
    return runs;
  }

  /**
   * Makes the interpreter what it was when it started, whatever a program has done to it: all of its memory, which
   * holds every object, module, hook and handler, and what the system around it keeps for it.
   */
  function startAfresh() {
    image.zeros ??= zeroRuns();
    const heap = M.HEAPU8;
    for (const [from, end] of image.zeros) heap.fill(0, from * 4096, Math.min(end * 4096, heap.length));
    copyPages(0, image.pages.length);
    M.stackRestore(image.stack);
    M.HEAP8[M._Py_EMSCRIPTEN_SIGNAL_HANDLING] = 1;
    ballast = 0;
    const { FS } = M;
    for (const stream of FS.streams) if (stream) FS.close(stream);
    FS.streams.length = 0;
    FS.createStandardStreams();
    for (const folder of [HOME, '/tmp']) FS.chmod(folder, 0o777);
    FS.chdir(HOME);
  }

  /** A program that broke out of the interpreter would find a JavaScript world with nothing in it. */
  function seal() {
    filesSealed = true;
    fileBytes = fileNodes = 0;
    M.Py_EmscriptenSignalBuffer = interruptByte;
    M.HEAP8[M._Py_EMSCRIPTEN_SIGNAL_HANDLING] = 1;
    const GeneratorFunction = Object.getPrototypeOf(function* () {});
    const AsyncFunction = Object.getPrototypeOf(async () => {});
    const AsyncGeneratorFunction = Object.getPrototypeOf(async function* () {});
    for (const prototype of [Function.prototype, GeneratorFunction, AsyncFunction, AsyncGeneratorFunction]) {
      Object.defineProperty(prototype, 'constructor', { value: undefined });
    }
    for (const name of ['resize', 'transfer', 'transferToFixedLength']) delete ArrayBuffer.prototype[name];
    for (const name of [
      'WebAssembly',
      'SharedArrayBuffer',
      'Atomics',
      'eval',
      'Function',
      'FinalizationRegistry',
      'WeakRef',
      'Intl',
      'setTimeout',
      'clearTimeout',
      'createPyodideModule',
    ]) {
      delete globalThis[name];
    }
  }

  /** Tells, once boot's promises have settled, why there is no interpreter; the empty string when there is one. */
  function trouble() {
    if (failed) return String(failed.stack ?? failed);
    return M ? '' : `not started: ${messages.join('; ')}`;
  }

  // ---- The C API ---------------------------------------------------------------------------------------------------

  const release = (object) => object && M._Py_DecRef(object);

  function pythonString(text) {
    const bytes = encodeUtf8(text);
    const buffer = M._malloc(bytes.length + 1);
    if (!buffer) return 0;
    M.HEAPU8.set(bytes, buffer);
    const object = M._PyUnicode_FromStringAndSize(buffer, bytes.length);
    M._free(buffer);
    return object;
  }

  /** The text of a Python string, at most `limit` bytes of it; null where it is none. */
  function readString(object, limit) {
    const size = M._malloc(4);
    const start = size && M._PyUnicode_AsUTF8AndSize(object, size);
    if (!start) {
      M._PyErr_Clear();
      return null;
    }
    const bytes = M.HEAP32[size >> 2];
    M._free(size);
    return { text: decodeUtf8(M.HEAPU8.subarray(start, start + Math.min(bytes, limit))), bytes };
  }

  function tupleOf(texts) {
    const tuple = M._PyTuple_New(texts.length);
    for (let i = 0; tuple && i < texts.length; i++) M._PyTuple_SetItem(tuple, i, pythonString(texts[i]));
    return tuple;
  }

  function pythonRun(source) {
    const code = M.stringToNewUTF8(source);
    const result = M._PyRun_SimpleString(code);
    M._free(code);
    return result;
  }

  /** Runs a script of the build in a cold interpreter and gives the file that it wrote. */
  function makeFile(source, path) {
    if (pythonRun(source) !== 0) {
      throw new Error(`the script failed: ${decodeUtf8(output.all.subarray(0, output.allEnd))}`);
    }
    return M.FS.readFile(path).slice().buffer;
  }

  /** Runs the harness once and remembers where its functions are. */
  function finishCold(source) {
    const text = `exec(compile(${JSON.stringify(source)}, '<harness>', 'exec'), (scope := {'__name__': 'harness'}))
functions = scope['_build']()
functions['seal']()
import sys, os
for function in functions.values(): os.write(1, (function.__name__ + ' ' + str(id(function)) + '\\n').encode())
sys.modules['__main__'].held = functions
`;
    output.outEnd = 0;
    const result = pythonRun(text);
    const printed = decodeUtf8(output.all.subarray(0, output.allEnd));
    if (result !== 0) throw new Error(`the harness did not start: ${printed} ${messages.join('; ')}`);
    for (const line of decodeUtf8(output.out.subarray(0, output.outEnd)).split('\n')) {
      const [name, address] = line.split(' ');
      if (/^[a-z]+$/.test(name) && Number(address) > 0) {
        pointers[name] = Number(address);
        M._Py_IncRef(pointers[name]);
      }
    }
    // From here on nothing keeps the functions alive but the references that were taken just now.
    pythonRun('globals().clear()');
    filesSealed = true;
  }

  /** The interpreter as it is now, for the snapshot. */
  function capture() {
    return {
      memory: M.HEAPU8.slice().buffer,
      stack: M.stackSave(),
      functions: { ...pointers },
    };
  }

  /** The memory of an interpreter that was made but never ran: what restoring need not write. */
  function untouched() {
    return M.HEAPU8.slice().buffer;
  }

  // ---- One test ----------------------------------------------------------------------------------------------------

  const enter = (phase) => {
    board[2] = PHASES.indexOf(phase);
  };

  function observed() {
    return {
      phase: PHASES[board[2]],
      over: output.over,
      output: decodeUtf8(output.all.subarray(0, output.allEnd)),
    };
  }

  const printed = (name, from) => decodeUtf8(output[name].subarray(from, output[`${name}End`]));

  function takeError() {
    const error = M._PyErr_GetRaisedException();
    if (ballast) {
      M._free(ballast);
      ballast = 0;
    }
    if (!error) return { name: 'SystemError', message: '', line: '', column: '', trace: '' };
    const described = M._PyObject_CallOneArg(pointers.failure, error);
    release(error);
    if (!described) {
      M._PyErr_Clear();
      // Describing an error needs little; where that fails the program has used up its memory, or broken the harness.
      const name = M.HEAPU8.length > 0.9 * MEMORY_BYTES ? 'MemoryError' : 'SystemError';
      return { name, message: 'the error could not be described', line: '', column: '', trace: '' };
    }
    const part = (index, limit) => readString(M._PyTuple_GetItem(described, index), limit)?.text ?? '';
    const result = {
      name: part(0, 200),
      message: part(1, 2_000),
      line: part(2, 20),
      column: part(3, 20),
      trace: part(4, 8_000),
    };
    release(described);
    return result;
  }

  function evaluate(code, namespace) {
    return M._PyEval_EvalCode(code, namespace, namespace);
  }

  const isPlain = (text) => readString(text, 10)?.text === 'plain';

  /** Gives { error } or { value, printedFrom }. */
  function execute(code, given, mode, seed) {
    const request = tupleOf([code, given, String(seed)]);
    const ready = request && M._PyObject_CallOneArg(pointers.start, request);
    release(request);
    if (!ready) return { error: takeError() };
    used = !isPlain(M._PyTuple_GetItem(ready, 2));
    enter('program');
    const program = M._PyTuple_GetItem(ready, 0);
    const namespace = M._PyTuple_GetItem(ready, 1);
    const ran = evaluate(program, namespace);
    release(ran);
    if (!ran) {
      const error = takeError();
      if (error.name !== 'SystemExit') return { error };
      keep('all', encodeUtf8(error.trace));
    }
    if (mode !== 'call') return { value: null, printedFrom: [0, 0] };

    release(M._PyObject_CallNoArgs(pointers.flush));
    M._PyErr_Clear();
    enter('call');
    const printedFrom = [output.outEnd, output.plainEnd];
    const parts = M._PyObject_CallNoArgs(pointers.expression);
    if (!parts) return { error: takeError() };
    // A program that is not plain may have made the harness say anything.
    used ||= !isPlain(M._PyTuple_GetItem(parts, 0));
    const count = M._PyTuple_Size(parts);
    if (count === 1) return { value: null, printedFrom: [0, 0] };
    let value = 0;
    for (let i = 1; i < count; i++) {
      release(value);
      value = evaluate(M._PyTuple_GetItem(parts, i), namespace);
      if (!value) return { error: takeError() };
    }
    const answer = M._PyObject_CallOneArg(pointers.answer, value);
    release(value);
    if (!answer) return { error: takeError() };
    const isNone = answer === M.__Py_NoneStruct;
    const text = isNone ? null : readString(M._PyTuple_GetItem(answer, 0), OUTPUT_BYTES);
    const isText = !isNone && readString(M._PyTuple_GetItem(answer, 1), 10)?.text === 'text';
    release(answer);
    return { value: text, isText, isNone, printedFrom };
  }

  /** Takes away what a program that was not plain may have left, in the interpreter and around it. */
  function prepare() {
    if (image) startAfresh();
    fileBytes = fileNodes = 0;
    for (const folder of [HOME, '/tmp']) {
      M.FS.mkdirTree(folder);
      emptyFolder(M.FS, folder);
    }
  }

  /** Runs a program for one test, the one of this number, and gives what was seen. */
  function runTest(number, code, [given, mode, key, seed]) {
    output.allEnd = output.outEnd = output.plainEnd = 0;
    output.over = false;
    board.fill(0);
    board[4] = number;
    skewMs = 0;
    entropy.set(key);
    input =
      mode === 'stdin'
        ? encodeUtf8(given.length === 0 || given.endsWith('\n') ? given : `${given}\n`)
        : new Uint8Array(0);
    inputAt = 0;
    try {
      if (used) prepare();
      used = true;
      if (!ballast) ballast = M._malloc(BALLAST_BYTES);
      const { error, value, isText, isNone, printedFrom } = execute(
        code,
        mode === 'call' ? given : '',
        mode,
        seed,
      );
      const flushed = M._PyObject_CallNoArgs(error ? pointers.flush : pointers.finish);
      release(flushed);
      const late = flushed ? undefined : takeError();
      const problem = error ?? late;
      // What was under way has not been brought to its end, and would print into the next test.
      if (problem) used = true;
      // An interrupt from outside is no error of the program's own.
      if (problem?.trace && problem.name !== 'KeyboardInterrupt') keep('all', encodeUtf8(problem.trace));
      if (!error) enter('end');
      if (problem) return { ...observed(), error: problem };
      // Silence is the repr of nothing; what was printed says more.
      const nothing = isNone ? 'None' : '';
      const text = value ? value.text : printed('out', printedFrom[0]) || nothing;
      return {
        ...observed(),
        over: output.over || (value?.bytes ?? 0) > OUTPUT_BYTES,
        value: text,
        ...(mode === 'call' ? { returned: !value ? 'nothing' : isText ? 'text' : 'value' } : {}),
        ...(value ? {} : { withoutPrompts: printed('plain', printedFrom[1]) || nothing }),
      };
    } catch (crash) {
      // The interpreter itself ended: a process exit, a trap, or the JavaScript stack is full.
      return { ...observed(), crash: `${crash?.name}: ${crash?.message}`.slice(0, 200) };
    }
  }

  /**
   * Runs one program for some tests, `[input, mode, key, seed]` each, and gives what was seen of them as JSON: of the first
   * one, and of further ones as long as each gives a value, all of it is short, and fewer than `sliceMs` have passed.
   * Called once at a time.
   */
  function run(code, tests, sliceMs) {
    const began = realNow();
    const seen = [];
    let told = 0;
    for (const test of JSON.parse(tests)) {
      const report = runTest(seen.length, code, test);
      seen.push(report);
      told += output.allEnd + (report.value ?? '').length;
      const isLast = report.value === undefined || report.over || told >= OUTPUT_BYTES;
      if (isLast || realNow() - began >= sliceMs) break;
    }
    return JSON.stringify(seen);
  }

  return { boot, trouble, makeFile, finishCold, capture, untouched, run };
})();
