import { constants } from 'node:fs';
import { posix } from 'node:path';
import type * as Real from '../../../src/main/world/files.ts';
import { Disk, systemError, type Inode, type OpenFile, type OpenFlags } from './disk.ts';
import { Process } from './machine.ts';

// Takes the place of `src/main/world/files.ts`: the same calls, on the disk of the computer of the process that makes them.

export { constants };

const diskOf = (): Disk => Process.caller().computer.disk;

/** Milliseconds that a call takes. */
const latency = (): number => {
  const { chance } = Process.caller().computer.world;
  return chance.is(0.02) ? chance.next() * 40 : chance.next() * 0.4;
};

const call = <T>(
  what: string,
  path: string,
  work: (disk: Disk) => T,
  part?: (disk: Disk) => void,
): Promise<T> => {
  const process = Process.caller();
  const { disk } = process.computer;
  return process.do(latency(), () => work(disk), `${what} ${path}`, part && (() => part(disk)));
};
const callNow = <T>(what: string, path: string, work: (disk: Disk) => T, part?: (disk: Disk) => void): T => {
  const process = Process.caller();
  const { disk } = process.computer;
  return process.doNow(() => work(disk), `${what} ${path}`, part && (() => part(disk)));
};

const named: Readonly<Record<string, Partial<OpenFlags>>> = {
  r: { read: true },
  'r+': { read: true, write: true },
  w: { write: true, create: true, truncate: true },
  wx: { write: true, create: true, exclusive: true },
  'w+': { read: true, write: true, create: true, truncate: true },
  'wx+': { read: true, write: true, create: true, exclusive: true },
  a: { write: true, create: true, append: true },
  'a+': { read: true, write: true, create: true, append: true },
};

function flagsOf(flags: string | number = 'r'): OpenFlags {
  const none = { read: false, write: false, create: false, exclusive: false, append: false, truncate: false };
  if (typeof flags === 'string') {
    const known = named[flags];
    if (!known) throw new Error(`the flags ${flags} are not simulated`);
    return { ...none, ...known };
  }
  const access = flags & 3;
  return {
    read: access === constants.O_RDONLY || access === constants.O_RDWR,
    write: access === constants.O_WRONLY || access === constants.O_RDWR,
    create: (flags & constants.O_CREAT) !== 0,
    exclusive: (flags & constants.O_EXCL) !== 0,
    append: (flags & constants.O_APPEND) !== 0,
    truncate: (flags & constants.O_TRUNC) !== 0,
  };
}

function statsOf(inode: Inode, isBig = false) {
  const date = new Date(inode.modifiedMs);
  const number = (value: number): never => (isBig ? BigInt(Math.floor(value)) : value) as never;
  return {
    dev: number(1),
    ino: number(inode.number),
    mode: number(inode.isFolder ? 0o040_700 : 0o100_600),
    nlink: number(inode.links),
    uid: number(1000),
    gid: number(1000),
    rdev: number(0),
    size: number(inode.size),
    blksize: number(4096),
    blocks: number(Math.ceil(inode.size / 512)),
    atimeMs: number(inode.modifiedMs),
    mtimeMs: number(inode.modifiedMs),
    ctimeMs: number(inode.modifiedMs),
    birthtimeMs: number(inode.number),
    birthtimeNs: number(inode.number),
    mtimeNs: number(inode.modifiedMs * 1e6),
    ctimeNs: number(inode.modifiedMs * 1e6),
    atimeNs: number(inode.modifiedMs * 1e6),
    atime: date,
    mtime: date,
    ctime: date,
    birthtime: date,
    isFile: () => !inode.isFolder,
    isDirectory: () => inode.isFolder,
    isSymbolicLink: () => false,
    isBlockDevice: () => false,
    isCharacterDevice: () => false,
    isFIFO: () => false,
    isSocket: () => false,
  };
}

const bytesOf = (data: unknown): Uint8Array => {
  if (typeof data === 'string') return Buffer.from(data);
  if (data instanceof Uint8Array) return data;
  throw new Error('only texts and bytes can be written here');
};

function writeAll(disk: Disk, file: OpenFile, bytes: Uint8Array, position: number | null = null): void {
  disk.write(file, bytes, position);
}

/** What is left to another process when one dies while it writes. */
const half =
  (file: OpenFile, bytes: Uint8Array, position: number | null = null) =>
  (disk: Disk): void =>
    void disk.write(file, bytes, position, 0.5);

class Handle {
  readonly fd: number;
  readonly #file: OpenFile;

  constructor(file: OpenFile) {
    this.#file = file;
    this.fd = file.fd;
  }

  async read(
    into: Uint8Array | { buffer: Uint8Array; position?: number },
    offset = 0,
    length?: number,
    position: number | null = null,
  ) {
    const target = into instanceof Uint8Array ? into : into.buffer;
    const at = into instanceof Uint8Array ? position : (into.position ?? null);
    const bytesRead = await call('read', this.#file.path, (disk) =>
      disk.read(this.#file, target.subarray(offset, length === undefined ? undefined : offset + length), at),
    );
    return { bytesRead, buffer: target };
  }

  async write(data: Uint8Array | string) {
    const bytes = bytesOf(data);
    await call(
      'write',
      this.#file.path,
      (disk) => writeAll(disk, this.#file, bytes),
      half(this.#file, bytes),
    );
    return { bytesWritten: bytes.length, buffer: data };
  }

  async writeFile(data: unknown): Promise<void> {
    const bytes = bytesOf(data);
    await call(
      'write',
      this.#file.path,
      (disk) => writeAll(disk, this.#file, bytes),
      half(this.#file, bytes),
    );
  }

  async appendFile(data: unknown): Promise<void> {
    await this.writeFile(data);
  }

  async readFile(encoding?: string | { encoding?: string }): Promise<Buffer | string> {
    const content = await call('read', this.#file.path, (disk) => {
      const into = Buffer.alloc(this.#file.inode.size);
      return into.subarray(0, disk.read(this.#file, into, null));
    });
    return encoding === undefined ? content : content.toString('utf8');
  }

  /** As far as it is read to its end, block by block. */
  async *createReadStream({
    highWaterMark = 65_536,
  }: { highWaterMark?: number } = {}): AsyncGenerator<Buffer> {
    for (;;) {
      const block = Buffer.alloc(highWaterMark);
      const { bytesRead } = await this.read(block);
      if (bytesRead === 0) return;
      yield block.subarray(0, bytesRead);
    }
  }

  stat(options?: { bigint?: boolean }) {
    return call('stat', this.#file.path, () => statsOf(this.#file.inode, options?.bigint));
  }

  async truncate(length = 0): Promise<void> {
    await call('truncate', this.#file.path, (disk) => disk.truncateInode(this.#file.inode, length));
  }

  async sync(): Promise<void> {
    await call('flush', this.#file.path, (disk) => disk.flush(this.#file));
  }

  datasync(): Promise<void> {
    return this.sync();
  }

  async close(): Promise<void> {
    // A dead process holds nothing up.
    if (Process.caller().isDead) return;
    await call('close', this.#file.path, (disk) => disk.close(this.fd));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

const textOf = (path: unknown): string => {
  if (typeof path !== 'string') throw new Error('only paths are simulated');
  return path;
};

async function openFile(path: unknown, flags?: string | number): Promise<Handle> {
  const process = Process.caller();
  const at = textOf(path);
  return new Handle(await call('open', at, (disk) => disk.open(at, flagsOf(flags), process)));
}

const removeTree = (disk: Disk, path: string, call: string, limit = Number.POSITIVE_INFINITY): void => {
  let left = limit;
  const visit = (at: string): void => {
    const inode = disk.at(at, call);
    for (const name of inode.entries.keys()) visit(`${at}/${name}`);
    if (left <= 0) return;
    left -= 1;
    disk.remove(at, call);
  };
  visit(path);
};

interface RemoveOptions {
  readonly recursive?: boolean;
  readonly force?: boolean;
}

function removeAny(
  disk: Disk,
  path: string,
  { recursive = false, force = false }: RemoveOptions = {},
  limit?: number,
): void {
  const inode = disk.find(path);
  if (!inode) {
    if (force) return;
    throw systemError('ENOENT', 'rm', path);
  }
  if (inode.isFolder && !recursive) throw systemError('ERR_FS_EISDIR', 'rm', path);
  removeTree(disk, path, 'rm', limit);
}

function makeFolders(disk: Disk, path: string, isRecursive: boolean): string | undefined {
  if (!isRecursive) {
    disk.makeFolder(path);
    return undefined;
  }
  let first: string | undefined;
  let at = '';
  for (const part of Disk.parts(path)) {
    at += `/${part}`;
    const inode = disk.find(at);
    if (inode && !inode.isFolder) throw systemError('ENOTDIR', 'mkdir', path);
    if (inode) continue;
    disk.makeFolder(at);
    first ??= at;
  }
  return first;
}

const entryOf = (parentPath: string, name: string, inode: Inode) => ({
  name,
  parentPath,
  path: parentPath,
  isFile: () => !inode.isFolder,
  isDirectory: () => inode.isFolder,
  isSymbolicLink: () => false,
});

function* entriesOf(
  folder: Inode,
  path: string,
  isRecursive: boolean,
): Generator<{ readonly from: string; readonly name: string; readonly inode: Inode }> {
  for (const [name, inode] of folder.entries) {
    yield { from: path, name, inode };
    if (isRecursive && inode.isFolder) yield* entriesOf(inode, posix.join(path, name), true);
  }
}

function list(disk: Disk, path: string, options: { recursive?: boolean; withFileTypes?: boolean } = {}) {
  const folder = disk.at(path, 'scandir');
  if (!folder.isFolder) throw systemError('ENOTDIR', 'scandir', path);
  const entries = [...entriesOf(folder, path, options.recursive === true)];
  return options.withFileTypes === true
    ? entries.map(({ from, name, inode }) => entryOf(from, name, inode))
    : entries.map(({ from, name }) => posix.relative(path, posix.join(from, name)));
}

function copy(disk: Disk, process: Process, path: string, to: string, mode = 0, part = 1): void {
  const content = disk.contentOf(path);
  if (!content) throw systemError('ENOENT', 'copyfile', path);
  const exclusive = (mode & constants.COPYFILE_EXCL) !== 0;
  const file = disk.open(to, flagsOf(exclusive ? 'wx' : 'w'), process);
  try {
    disk.write(file, content, null, part);
  } finally {
    disk.close(file.fd);
  }
}

function write(disk: Disk, process: Process, path: string, data: unknown, flags: string, part = 1): OpenFile {
  const file = disk.open(path, flagsOf(flags), process);
  try {
    disk.write(file, bytesOf(data), null, part);
  } finally {
    disk.close(file.fd);
  }
  return file;
}

const simulated = {
  open: openFile,
  access: (path: unknown) => call('access', textOf(path), (disk) => void disk.at(textOf(path), 'access')),
  stat: (path: unknown, options?: { bigint?: boolean }) =>
    call('stat', textOf(path), (disk) => statsOf(disk.at(textOf(path), 'stat'), options?.bigint)),
  lstat: (path: unknown, options?: { bigint?: boolean }) =>
    call('lstat', textOf(path), (disk) => statsOf(disk.at(textOf(path), 'lstat'), options?.bigint)),
  realpath: (path: unknown) =>
    call('realpath', textOf(path), (disk) => {
      disk.at(textOf(path), 'realpath');
      return `/${Disk.parts(textOf(path)).join('/')}`;
    }),
  readdir: (path: unknown, options?: { recursive?: boolean; withFileTypes?: boolean }) =>
    call('list', textOf(path), (disk) => list(disk, textOf(path), options)),
  mkdir: (path: unknown, options?: { recursive?: boolean }) =>
    call('create folder', textOf(path), (disk) =>
      makeFolders(disk, textOf(path), options?.recursive === true),
    ),
  rmdir: (path: unknown) =>
    call('remove', textOf(path), (disk) => {
      if (!disk.at(textOf(path), 'rmdir').isFolder) throw systemError('ENOTDIR', 'rmdir', textOf(path));
      disk.remove(textOf(path), 'rmdir');
    }),
  rm: (path: unknown, options?: RemoveOptions) => {
    // A dead process holds nothing up.
    if (Process.caller().isDead) return Promise.resolve();
    return call(
      'remove',
      textOf(path),
      (disk) => removeAny(disk, textOf(path), options),
      (disk) => removeAny(disk, textOf(path), options, 1),
    );
  },
  rename: (path: unknown, to: unknown) =>
    call(`rename to ${textOf(to)}`, textOf(path), (disk) => disk.rename(textOf(path), textOf(to))),
  link: (path: unknown, to: unknown) =>
    call(`link to ${textOf(to)}`, textOf(path), (disk) => disk.link(textOf(path), textOf(to))),
  copyFile: (path: unknown, to: unknown, mode?: number) => {
    const process = Process.caller();
    return call(
      `copy to ${textOf(to)}`,
      textOf(path),
      (disk) => copy(disk, process, textOf(path), textOf(to), mode),
      (disk) => copy(disk, process, textOf(path), textOf(to), mode, 0.5),
    );
  },
  utimes: (path: unknown, _accessed: unknown, modified: unknown) =>
    call('set time of', textOf(path), (disk) => {
      const inode = disk.at(textOf(path), 'utimes');
      inode.modifiedMs = modified instanceof Date ? modified.getTime() : Number(modified) * 1000;
    }),
  readFile: (path: unknown, encoding?: string | { encoding?: string }) =>
    call('read', textOf(path), (disk) => {
      const content = disk.contentOf(textOf(path));
      if (!content) throw systemError(disk.find(textOf(path)) ? 'EISDIR' : 'ENOENT', 'open', textOf(path));
      return encoding === undefined ? content : content.toString('utf8');
    }),
  writeFile: (path: unknown, data: unknown, options?: { flush?: boolean; flag?: string }) => {
    const process = Process.caller();
    return call(
      'write',
      textOf(path),
      (disk) => {
        const file = write(disk, process, textOf(path), data, options?.flag ?? 'w');
        if (options?.flush === true) disk.flush(file);
      },
      (disk) => void write(disk, process, textOf(path), data, options?.flag ?? 'w', 0.5),
    );
  },
  openSync: (path: string, flags?: string | number) => {
    const process = Process.caller();
    return callNow('open', path, (disk) => disk.open(path, flagsOf(flags), process).fd);
  },
  closeSync: (fd: number) => {
    if (Process.caller().isDead) return;
    diskOf().close(fd);
  },
  readSync: (
    fd: number,
    into: Uint8Array,
    offset = 0,
    length = into.length - offset,
    position: number | null = null,
  ) => {
    if (Process.caller().isDead) throw systemError('EBADF', 'read');
    const disk = diskOf();
    return disk.read(disk.file(fd, 'read'), into.subarray(offset, offset + length), position);
  },
  writeSync: (
    fd: number,
    bytes: Uint8Array,
    offset = 0,
    length = bytes.length - offset,
    position: number | null = null,
  ) => {
    const { path } = diskOf().file(fd, 'write');
    const written = bytes.subarray(offset, offset + length);
    return callNow(
      'write',
      path,
      (disk) => disk.write(disk.file(fd, 'write'), written, position),
      (disk) => void disk.write(disk.file(fd, 'write'), written, position, 0.5),
    );
  },
  ftruncateSync: (fd: number, length = 0) =>
    callNow('truncate', diskOf().file(fd, 'truncate').path, (disk) =>
      disk.truncateInode(disk.file(fd, 'truncate').inode, length),
    ),
  fdatasyncSync: (fd: number) =>
    callNow('flush', diskOf().file(fd, 'flush').path, (disk) => disk.flush(disk.file(fd, 'flush'))),
  fsyncSync: (fd: number) =>
    callNow('flush', diskOf().file(fd, 'flush').path, (disk) => disk.flush(disk.file(fd, 'flush'))),
  fstatSync: (fd: number, options?: { bigint?: boolean }) =>
    statsOf(diskOf().file(fd, 'fstat').inode, options?.bigint),
  statSync: (path: string, options?: { bigint?: boolean }) =>
    callNow('stat', path, (disk) => statsOf(disk.at(path, 'stat'), options?.bigint)),
  readFileSync: (path: string, encoding?: string | { encoding?: string }) =>
    callNow('read', path, (disk) => {
      const content = disk.contentOf(path);
      if (!content) throw systemError('ENOENT', 'open', path);
      return encoding === undefined ? content : content.toString('utf8');
    }),
  writeFileSync: (path: string, data: unknown, options?: { flush?: boolean }) => {
    const process = Process.caller();
    const whole = (disk: Disk): void => {
      const file = write(disk, process, path, data, 'w');
      if (options?.flush === true) disk.flush(file);
    };
    callNow('write', path, whole, (disk) => void write(disk, process, path, data, 'w', 0.5));
  },
  appendFileSync: (path: string, data: unknown) => {
    const process = Process.caller();
    callNow(
      'append',
      path,
      (disk) => void write(disk, process, path, data, 'a'),
      (disk) => void write(disk, process, path, data, 'a', 0.5),
    );
  },
  renameSync: (path: string, to: string) => callNow('rename', path, (disk) => disk.rename(path, to)),
  rmSync: (path: string, options?: RemoveOptions) =>
    callNow('remove', path, (disk) => removeAny(disk, path, options)),
  mkdirSync: (path: string, options?: { recursive?: boolean }) =>
    callNow('create folder', path, (disk) => makeFolders(disk, path, options?.recursive === true)),
  tryLock: (fd: number) => callNow('lock', diskOf().file(fd, 'lock').path, (disk) => disk.tryLock(fd)),
  mkdtempSync: refuse('mkdtempSync'),
  createReadStream: refuse('createReadStream'),
  createWriteStream: refuse('createWriteStream'),
};

function refuse(name: string): () => never {
  return () => {
    throw new Error(`${name} is not simulated`);
  };
}

/** The signatures are those of Node; the few that the core uses of each are what is simulated. */
const replaced = simulated as unknown as Omit<typeof Real, 'constants'>;

export const {
  access,
  appendFileSync,
  closeSync,
  copyFile,
  createReadStream,
  createWriteStream,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  link,
  lstat,
  mkdir,
  mkdirSync,
  mkdtempSync,
  open,
  openSync,
  readFile,
  readFileSync,
  readSync,
  readdir,
  realpath,
  rename,
  renameSync,
  rm,
  rmSync,
  rmdir,
  stat,
  statSync,
  tryLock,
  utimes,
  writeFile,
  writeFileSync,
  writeSync,
} = replaced;
