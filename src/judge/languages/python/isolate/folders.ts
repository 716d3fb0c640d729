import type { FileSystem } from './module.ts';

export const HOME = '/home/learner';
export const OWN_FOLDERS = [HOME, '/tmp'];

export function makeFolders(FS: FileSystem, stdlib: Uint8Array): void {
  FS.mkdirTree('/lib/python3.14/site-packages');
  FS.mkdirTree('/lib/python3.14/lib-dynload');
  FS.writeFile('/lib/python314.zip', stdlib, { canOwn: true });
  FS.mkdirTree(HOME);
  FS.chdir(HOME);
}

export function emptyFolder(FS: FileSystem, path: string): void {
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
