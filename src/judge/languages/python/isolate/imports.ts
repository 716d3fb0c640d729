import type { Imports } from './module.ts';

const ENOSYS = 52;
const ENETUNREACH = 40;

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
const REFUSED_IMPORTS: Record<string, number | null> = {
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

/** Removes all that reaches JavaScript, sockets or code loading. */
export function narrow(imports: Imports): void {
  for (const module of [imports.env!, imports.wasi_snapshot_preview1!]) {
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
  for (const name of ['Jsv_GetError_import', 'JsvError_Check']) imports.env![name] = () => 0;
  // Graphics functions that no program here can name.
  const nowhere = new WebAssembly.Global({ value: 'i32', mutable: true }, 0);
  imports['GOT.func'] = new Proxy({}, { get: () => nowhere });
}
