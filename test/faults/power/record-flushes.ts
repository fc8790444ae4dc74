import fs from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join, sep } from 'node:path';
import { identityOf } from './identity.ts';

// Loaded before a process of the application, and in each of its threads. It records what they flush to disk below a folder,
// so that a test can make of the files what a power loss would leave. The calls of Node are wrapped: nothing of the
// application is changed, and no flush is missed.

const { WELLBENCH_TEST_POWER: recordFolder = '', WELLBENCH_TEST_WORLD: world = '' } = process.env;
/** The process ends before this flush, counted from 1 over all its threads; 0: never. */
const endBefore = Number(process.env['WELLBENCH_TEST_END_BEFORE'] ?? 0);

const {
  appendFileSync,
  closeSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  openSync,
  readdirSync,
  readlinkSync,
  readFileSync,
} = fs;
const { fsyncSync, fdatasyncSync } = fs;

const recordPath = join(recordFolder, 'flushes.ndjson');

const note = (line: object): void => appendFileSync(recordPath, `${JSON.stringify(line)}\n`);

const pathOf = (fd: number): string => readlinkSync(`/proc/self/fd/${fd}`);
const isInWorld = (path: string): boolean => path === world || path.startsWith(world + sep);

function beforeFlush(fd: number): void {
  if (endBefore === 0 || !isInWorld(pathOf(fd))) return;
  note({ kind: 'try' });
  const tries = readFileSync(recordPath, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"try"')).length;
  if (tries >= endBefore) process.kill(process.pid, 'SIGKILL');
}

/** The inode of each name in a folder. What they name now can be put back: it gets a second name in the record's folder. */
function entriesOf(folder: string): Record<string, string> {
  const entries: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    try {
      const identity = identityOf(fs.lstatSync(path, { bigint: true }));
      entries[entry.name] = identity;
      if (entry.isFile() && !fs.existsSync(join(recordFolder, identity)))
        linkSync(path, join(recordFolder, identity));
    } catch {
      // Another thread removed it, or gave it its second name.
    }
  }
  return entries;
}

/** What a flush covers is read before it. */
function flushOf(fd: number): object | null {
  const path = pathOf(fd);
  if (!isInWorld(path)) return null;
  const stats = fstatSync(fd, { bigint: true });
  if (stats.isDirectory()) return { kind: 'folder', ino: identityOf(stats), entries: entriesOf(path) };
  return { kind: 'file', ino: identityOf(stats), bytes: Number(stats.size) };
}

function cutOf(fd: number, bytes: number): object | null {
  return isInWorld(pathOf(fd))
    ? { kind: 'cut', ino: identityOf(fstatSync(fd, { bigint: true })), bytes }
    : null;
}

const noteIf = (line: object | null): void => void (line && note(line));

if (recordFolder !== '') {
  for (const [name, flush] of [
    ['fsyncSync', fsyncSync],
    ['fdatasyncSync', fdatasyncSync],
  ] as const)
    fs[name] = (fd: number) => {
      beforeFlush(fd);
      const covered = flushOf(fd);
      flush(fd);
      noteIf(covered);
    };
  fs.ftruncateSync = (fd, length) => {
    ftruncateSync(fd, length);
    noteIf(cutOf(fd, length ?? 0));
  };
  syncBuiltinESMExports();
  const fd = openSync(import.meta.filename, 'r');
  closeSync(fd);
  const file = await open(import.meta.filename, 'r');
  const prototype: FileHandle = Object.getPrototypeOf(file);
  await file.close();
  const { sync, datasync, truncate } = prototype;
  for (const [name, flush] of [
    ['sync', sync],
    ['datasync', datasync],
  ] as const)
    prototype[name] = async function (this: FileHandle) {
      beforeFlush(this.fd);
      const covered = flushOf(this.fd);
      await flush.call(this);
      noteIf(covered);
    };
  prototype.truncate = async function (this: FileHandle, length = 0) {
    await truncate.call(this, length);
    noteIf(cutOf(this.fd, length));
  };
}
