import type { Process, World } from './machine.ts';

// A disk with the promises of a file system, and no more: what was not flushed can be gone after a power loss, in parts.

export interface Inode {
  readonly number: number;
  readonly isFolder: boolean;
  data: Buffer;
  size: number;
  /** The content on disk for certain. */
  durable: Buffer;
  /** Bytes whose flush failed: no later one writes them. */
  lost: { readonly from: number; readonly to: number } | null;
  readonly entries: Map<string, Inode>;
  /** The entries on disk for certain. */
  readonly durableEntries: Map<string, Inode>;
  links: number;
  modifiedMs: number;
  lock: OpenFile | null;
}

export interface OpenFile {
  readonly fd: number;
  readonly path: string;
  readonly inode: Inode;
  readonly owner: Process;
  readonly canRead: boolean;
  readonly canWrite: boolean;
  readonly appends: boolean;
  position: number;
}

/** A change of names that is not on disk for certain. */
interface Renaming {
  readonly inode: Inode;
  readonly from: { readonly folder: Inode; readonly name: string } | null;
  readonly to: { readonly folder: Inode; readonly name: string } | null;
}

export interface OpenFlags {
  readonly read: boolean;
  readonly write: boolean;
  readonly create: boolean;
  readonly exclusive: boolean;
  readonly append: boolean;
  readonly truncate: boolean;
}

const blockBytes = 512;

export function systemError(code: string, call: string, path?: string): NodeJS.ErrnoException {
  const where = path === undefined ? '' : ` '${path}'`;
  return Object.assign(new Error(`${code}: simulated, ${call}${where}`), {
    code,
    errno: -1,
    syscall: call,
    ...(path === undefined ? {} : { path }),
  });
}

/** What goes wrong on a disk, by the number of the call of its kind, from 1. */
export interface DiskFault {
  readonly kind: 'full' | 'flush_fails' | 'held';
  readonly at: number;
  /** How many calls fail in a row. */
  readonly times: number;
}

export class Disk {
  readonly root: Inode;
  readonly #world: World;
  #inodes = 0;
  #fds = 1000;
  readonly #open = new Map<number, OpenFile>();
  #renamings: Renaming[] = [];
  faults: readonly DiskFault[] = [];
  readonly #counts = { full: 0, flush_fails: 0, held: 0 };

  constructor(world: World) {
    this.#world = world;
    this.root = this.#newInode(true);
  }

  #newInode(isFolder: boolean): Inode {
    this.#inodes += 1;
    return {
      number: this.#inodes,
      isFolder,
      data: Buffer.alloc(0),
      size: 0,
      durable: Buffer.alloc(0),
      lost: null,
      entries: new Map(),
      durableEntries: new Map(),
      links: 0,
      modifiedMs: this.#world.epoch + this.#world.now,
      lock: null,
    };
  }

  /** Whether the next call of a kind fails. */
  #fails(kind: DiskFault['kind'], what: string): boolean {
    this.#counts[kind] += 1;
    const count = this.#counts[kind];
    const isFaulty = this.faults.some(
      (fault) => fault.kind === kind && count >= fault.at && count < fault.at + fault.times,
    );
    if (isFaulty) this.#world.note(`disk: ${kind} at ${what}`);
    return isFaulty;
  }

  static parts(path: string): string[] {
    const parts: string[] = [];
    for (const part of path.split('/')) {
      if (part === '' || part === '.') continue;
      if (part === '..') parts.pop();
      else parts.push(part);
    }
    return parts;
  }

  find(path: string): Inode | null {
    let at: Inode = this.root;
    for (const part of Disk.parts(path)) {
      const next = at.entries.get(part);
      if (!next) return null;
      at = next;
    }
    return at;
  }

  /** @throws ENOENT, ENOTDIR */
  at(path: string, call: string): Inode {
    const inode = this.find(path);
    if (!inode) throw systemError('ENOENT', call, path);
    return inode;
  }

  #placeOf(path: string, call: string): { readonly folder: Inode; readonly name: string } {
    const parts = Disk.parts(path);
    const name = parts.pop();
    if (name === undefined) throw systemError('EBUSY', call, path);
    if (Buffer.byteLength(name) > 255) throw systemError('ENAMETOOLONG', call, path);
    const folder = this.at(`/${parts.join('/')}`, call);
    if (!folder.isFolder) throw systemError('ENOTDIR', call, path);
    return { folder, name };
  }

  #setName(place: Renaming['to'], inode: Inode): void {
    place?.folder.entries.set(place.name, inode);
  }

  #change(renaming: Renaming): void {
    const { from, to, inode } = renaming;
    if (from && from.folder.entries.get(from.name) === inode) from.folder.entries.delete(from.name);
    if (to) this.#setName(to, inode);
    this.#renamings.push(renaming);
  }

  open(path: string, flags: OpenFlags, owner: Process): OpenFile {
    let inode = this.find(path);
    if (inode && flags.create && flags.exclusive) throw systemError('EEXIST', 'open', path);
    if (!inode) {
      if (!flags.create) throw systemError('ENOENT', 'open', path);
      const to = this.#placeOf(path, 'open');
      inode = this.#newInode(false);
      inode.links = 1;
      this.#change({ inode, from: null, to });
    }
    if (inode.isFolder && flags.write) throw systemError('EISDIR', 'open', path);
    if (flags.truncate) this.truncateInode(inode, 0);
    this.#fds += 1;
    const { read: canRead, write: canWrite, append: appends } = flags;
    const file: OpenFile = { fd: this.#fds, path, inode, owner, canRead, canWrite, appends, position: 0 };
    this.#open.set(file.fd, file);
    return file;
  }

  file(fd: number, call: string): OpenFile {
    const file = this.#open.get(fd);
    if (!file) throw systemError('EBADF', call);
    return file;
  }

  close(fd: number): void {
    const file = this.file(fd, 'close');
    this.#open.delete(fd);
    if (file.inode.lock === file) file.inode.lock = null;
  }

  closeFilesOf(process: Process): void {
    for (const file of this.#open.values()) if (file.owner === process) this.close(file.fd);
  }

  tryLock(fd: number): boolean {
    const file = this.file(fd, 'lock');
    if (file.inode.lock && file.inode.lock !== file) return false;
    file.inode.lock = file;
    return true;
  }

  read(file: OpenFile, into: Uint8Array, position: number | null): number {
    if (file.inode.isFolder) throw systemError('EISDIR', 'read', file.path);
    if (!file.canRead) throw systemError('EBADF', 'read');
    const from = position ?? file.position;
    const length = Math.max(0, Math.min(into.length, file.inode.size - from));
    into.set(file.inode.data.subarray(from, from + length));
    if (position === null) file.position += length;
    return length;
  }

  /** @param part how much of the bytes is written, from 0 to 1 */
  write(file: OpenFile, bytes: Uint8Array, position: number | null, part = 1): number {
    if (!file.canWrite) throw systemError('EBADF', 'write');
    const { inode } = file;
    const from = file.appends ? inode.size : (position ?? file.position);
    const isFull = bytes.length > 0 && this.#fails('full', file.path);
    const length = Math.floor(bytes.length * (isFull ? 0.5 : part));
    this.#put(inode, bytes.subarray(0, length), from);
    if (position === null) file.position = from + length;
    if (isFull) throw systemError('ENOSPC', 'write', file.path);
    return length;
  }

  #put(inode: Inode, bytes: Uint8Array, from: number): void {
    const to = from + bytes.length;
    if (to > inode.data.length) {
      const grown = Buffer.alloc(Math.max(to, 2 * inode.data.length, 256));
      inode.data.copy(grown, 0, 0, inode.size);
      inode.data = grown;
    }
    if (from > inode.size) inode.data.fill(0, inode.size, from);
    inode.data.set(bytes, from);
    inode.size = Math.max(inode.size, to);
    inode.modifiedMs = this.#world.epoch + this.#world.now;
  }

  truncateInode(inode: Inode, length: number): void {
    if (length > inode.size) this.#put(inode, Buffer.alloc(length - inode.size), inode.size);
    inode.data.fill(0, length);
    inode.size = length;
    if (inode.lost && inode.lost.from >= length) inode.lost = null;
    inode.modifiedMs = this.#world.epoch + this.#world.now;
  }

  flush({ inode, path }: Pick<OpenFile, 'inode' | 'path'>): void {
    if (this.#fails('flush_fails', path)) {
      if (!inode.isFolder) inode.lost = { from: Math.min(inode.durable.length, inode.size), to: inode.size };
      throw systemError('EIO', 'fsync', path);
    }
    if (inode.isFolder) {
      this.#renamings = this.#renamings.filter((renaming) => {
        if (renaming.from?.folder !== inode && renaming.to?.folder !== inode) return true;
        apply(renaming);
        return false;
      });
      return;
    }
    inode.durable = Buffer.from(inode.data.subarray(0, inode.size));
    if (inode.lost)
      inode.durable.fill(0, Math.min(inode.lost.from, inode.size), Math.min(inode.lost.to, inode.size));
  }

  link(path: string, to: string): void {
    const inode = this.at(path, 'link');
    const place = this.#placeOf(to, 'link');
    if (place.folder.entries.has(place.name)) throw systemError('EEXIST', 'link', to);
    inode.links += 1;
    this.#change({ inode, from: null, to: place });
  }

  rename(path: string, to: string): void {
    const from = this.#placeOf(path, 'rename');
    const inode = from.folder.entries.get(from.name);
    if (!inode) throw systemError('ENOENT', 'rename', path);
    if (this.#fails('held', path)) throw systemError('EBUSY', 'rename', path);
    const place = this.#placeOf(to, 'rename');
    const replaced = place.folder.entries.get(place.name);
    if (replaced === inode) return;
    if (replaced?.isFolder === true) {
      if (!inode.isFolder) throw systemError('EISDIR', 'rename', to);
      if (replaced.entries.size > 0) throw systemError('ENOTEMPTY', 'rename', to);
    } else if (replaced && inode.isFolder) throw systemError('ENOTDIR', 'rename', to);
    if (replaced) replaced.links -= 1;
    this.#change({ inode, from, to: place });
  }

  remove(path: string, call: string): void {
    const from = this.#placeOf(path, call);
    const inode = from.folder.entries.get(from.name);
    if (!inode) throw systemError('ENOENT', call, path);
    if (inode.isFolder && inode.entries.size > 0) throw systemError('ENOTEMPTY', call, path);
    inode.links -= 1;
    this.#change({ inode, from, to: null });
  }

  makeFolder(path: string): void {
    const to = this.#placeOf(path, 'mkdir');
    if (to.folder.entries.has(to.name)) throw systemError('EEXIST', 'mkdir', path);
    const inode = this.#newInode(true);
    inode.links = 1;
    this.#change({ inode, from: null, to });
  }

  /** Puts a file at a path, or changes the one that is there, all of it on disk. */
  place(path: string, content: Uint8Array): void {
    const parts = Disk.parts(path);
    const name = parts.pop() ?? '';
    let folder = this.root;
    for (const part of parts) {
      const next = folder.entries.get(part) ?? this.#newInode(true);
      folder.entries.set(part, next);
      folder.durableEntries.set(part, next);
      folder = next;
    }
    const inode = folder.entries.get(name) ?? this.#newInode(false);
    inode.links = 1;
    this.truncateInode(inode, 0);
    this.#put(inode, content, 0);
    inode.durable = Buffer.from(content);
    folder.entries.set(name, inode);
    folder.durableEntries.set(name, inode);
  }

  /** Removes a file, so that no power loss brings it back. A process that has it open keeps it. */
  displace(path: string): void {
    const { folder, name } = this.#placeOf(path, 'unlink');
    folder.entries.delete(name);
    folder.durableEntries.delete(name);
  }

  /** The content of a file; null: there is none. */
  contentOf(path: string): Buffer | null {
    const inode = this.find(path);
    return inode && !inode.isFolder ? Buffer.from(inode.data.subarray(0, inode.size)) : null;
  }

  /** The paths of all files below a folder. */
  *filesBelow(path: string, inode = this.find(path)): Generator<string> {
    for (const [name, below] of inode?.entries ?? []) {
      if (below.isFolder) yield* this.filesBelow(`${path}/${name}`, below);
      else yield `${path}/${name}`;
    }
  }

  /** Makes of the disk what a power loss leaves; no process uses it any more. */
  losePower(): void {
    const { chance } = this.#world;
    // File systems keep changes of names in their order, or each for itself.
    const isOrdered = chance.is(0.5);
    const kept = isOrdered ? chance.integer(0, this.#renamings.length) : 0;
    const rate = chance.pick([0, 0.5, 1]);
    this.#renamings.forEach((renaming, at) => {
      if (isOrdered ? at < kept : chance.is(rate)) apply(renaming);
    });
    this.#renamings = [];
    const tail = chance.pick(['cut', 'zeros', 'kept', 'mixed'] as const);
    const seen = new Set<Inode>();
    const visit = (inode: Inode): void => {
      if (seen.has(inode)) return;
      seen.add(inode);
      inode.lock = null;
      if (!inode.isFolder) {
        this.#loseContent(inode, tail === 'mixed' ? chance.pick(['cut', 'zeros', 'kept']) : tail);
        return;
      }
      inode.entries.clear();
      for (const [name, below] of inode.durableEntries) {
        inode.entries.set(name, below);
        visit(below);
      }
    };
    visit(this.root);
  }

  #loseContent(inode: Inode, tail: 'cut' | 'zeros' | 'kept'): void {
    const { chance } = this.#world;
    const { durable, size } = inode;
    const now = Buffer.from(inode.data.subarray(0, size));
    if (inode.lost) now.fill(0, Math.min(inode.lost.from, size), Math.min(inode.lost.to, size));
    const isSame = size === durable.length && now.equals(durable);
    if (isSame || tail === 'kept') {
      inode.data = now;
      inode.durable = Buffer.from(now);
      inode.lost = null;
      return;
    }
    // Written blocks may or may not have arrived, and the length is that before or after.
    const longer =
      tail === 'zeros'
        ? size
        : durable.length + Math.floor((size - durable.length) * chance.pick([0, 0, chance.next()]));
    const length = size > durable.length ? longer : chance.pick([size, durable.length]);
    const after = Buffer.alloc(length);
    durable.copy(after, 0, 0, Math.min(durable.length, length));
    for (let from = 0; from < Math.min(size, length); from += blockBytes) {
      const isWritten = from + blockBytes > durable.length ? tail === 'cut' : chance.is(0.5);
      if (isWritten) now.copy(after, from, from, Math.min(from + blockBytes, size, length));
      if (isWritten && from < durable.length && !chance.is(0.5))
        durable.copy(after, from, from, Math.min(from + blockBytes, durable.length));
    }
    inode.data = after;
    inode.size = length;
    inode.durable = Buffer.from(after);
    inode.lost = null;
  }
}

function apply({ inode, from, to }: Renaming): void {
  if (from && from.folder.durableEntries.get(from.name) === inode)
    from.folder.durableEntries.delete(from.name);
  to?.folder.durableEntries.set(to.name, inode);
}
