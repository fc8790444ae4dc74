import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DuckDBInstance } from '@duckdb/node-api';
import { AppError } from '../../../src/shared/errors/errors.ts';
import { serve, type ThreadPort } from '../../../src/shared/threads.ts';
import { tableCalls, type TableCalls, type TableFiles } from '../../../src/main/core/duckdb/table-calls.ts';
import { openInstance, restrict } from '../../../src/main/core/duckdb/locked.ts';
import type { Disk } from './disk.ts';
import { Process } from './machine.ts';

// The engine of tables is real, and works with files of the real disk, while the time of the world stands still. What it may
// read is copied there before each statement, and what it wrote is copied back.

/** What all paths of the simulated disk begin with. */
const home = '/home/engineer';

/** A disk in memory where there is one: nothing here outlives the process. */
const realFolders = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A folder of the real disk, and how it is removed. */
export function openRealFolder(parent = realFolders): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(parent, 'wellbench-simulated-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

interface SharedEngine {
  readonly folder: string;
  readonly instance: DuckDBInstance;
}

/** The engine of all histories: opening one takes longer than most of its statements. What they create is of a connection. */
let shared: Promise<SharedEngine> | null = null;

async function openShared(): Promise<SharedEngine> {
  const { path: folder, remove } = openRealFolder();
  globalThis.process.once('exit', remove);
  const instance = await openInstance({
    enable_external_file_cache: 'false',
    temp_directory: `${folder}/spill`,
    threads: '1',
  });
  const connection = await instance.connect();
  await restrict(connection, { files: [], folders: [folder] });
  connection.closeSync();
  return { folder, instance };
}

async function connect() {
  const { instance } = await (shared ??= openShared());
  const connection = await instance.connect();
  await connection.run(`SET TimeZone = 'UTC'`);
  return { connection, close: () => connection.closeSync() };
}

/** Writes one file of the engine to the simulated disk. @param part how much of it, from 0 to 1 */
function write(disk: Disk, process: Process, path: string, content: Buffer, part = 1): void {
  const flags = { read: false, write: true, create: true, exclusive: false, append: false, truncate: true };
  const file = disk.open(path, flags, process);
  try {
    disk.write(file, content, null, part);
  } finally {
    disk.close(file.fd);
  }
}

/** What a process of the engine has open. */
interface OpenFiles {
  readonly files: TableFiles;
  readonly real: ReturnType<typeof openRealFolder>;
  /** The content of the files that both disks have, by path. */
  readonly same: Map<string, Buffer>;
}

function toReal(disk: Disk, { files, real, same }: OpenFiles): void {
  const paths = [...files.reads.map(({ path }) => path), ...disk.filesBelow(files.folder)];
  const present = new Set<string>();
  for (const path of paths) {
    const content = disk.contentOf(path);
    if (!content) continue;
    present.add(path);
    if (same.get(path)?.equals(content) === true) continue;
    mkdirSync(dirname(real.path + path), { recursive: true });
    writeFileSync(real.path + path, content);
    same.set(path, content);
  }
  for (const path of same.keys()) {
    if (present.has(path)) continue;
    rmSync(real.path + path, { force: true });
    same.delete(path);
  }
}

/** Each file is a step of the process, in which it can die, and the disk can be full. */
function fromReal(process: Process, { files, real, same }: OpenFiles): void {
  const { disk } = process.computer;
  const entries = readdirSync(real.path + files.folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(real.path.length))
    .filter((path) => !path.startsWith(`${files.folder}/spill/`))
    .toSorted();
  for (const path of paths) {
    const content = readFileSync(real.path + path);
    if (same.get(path)?.equals(content) === true) continue;
    same.set(path, content);
    try {
      process.doNow(
        () => write(disk, process, path, content),
        `the engine writes ${path}`,
        () => write(disk, process, path, content, 0.5),
      );
    } catch (cause) {
      if (!(cause instanceof Error && 'code' in cause && 'syscall' in cause)) throw cause;
      throw cause.code === 'ENOSPC'
        ? new AppError('disk_full', { file: files.name, writtenBytes: 0 }, { cause })
        : new AppError('file_unwritable', { file: files.name, reason: 'the system refuses it' }, { cause });
    }
  }
}

/** Serves the engine of tables at a port. @returns what ends its process */
export function serveTables(port: ThreadPort): () => void {
  const calls = tableCalls(connect);
  const process = Process.caller();
  const { world, disk } = process.computer;
  let open: OpenFiles | null = null;
  let isRunning = false;
  let hasEnded = false;

  function close(): void {
    // Its calls end before the next one begins.
    void calls.closeFiles();
    open?.real.remove();
    open = null;
  }
  /** Closing the engine while a statement runs would end this process. */
  async function outside<T>(work: () => Promise<T>): Promise<T> {
    isRunning = true;
    try {
      return await world.outside(work());
    } finally {
      isRunning = false;
      if (hasEnded) close();
    }
  }
  function end(): void {
    hasEnded = true;
    if (!isRunning) close();
  }
  void process.died.promise.then(end);
  const step = (what: string): Promise<void> =>
    process.do(0.5 + world.chance.next() * 3, () => undefined, what);

  serve<TableCalls>(port, {
    load: () => step('the engine starts'),
    async openFiles(files) {
      await step('the engine opens');
      close();
      const { folder } = await outside(async () => (shared ??= openShared()));
      const opened: OpenFiles = { files, real: openRealFolder(folder), same: new Map() };
      open = opened;
      const { path } = opened.real;
      mkdirSync(path + files.folder, { recursive: true });
      toReal(disk, opened);
      const reads = files.reads.map((read) => ({ ...read, path: path + read.path }));
      await outside(() => calls.openFiles({ ...files, reads, folder: path + files.folder }));
    },
    async closeFiles() {
      await step('the engine closes');
      close();
    },
    async run({ sql }) {
      await step(`statement ${sql.slice(0, 40)}`);
      if (!open) return calls.run({ sql });
      const opened = open;
      toReal(disk, opened);
      const real = sql.replaceAll(`'${home}/`, `'${opened.real.path}${home}/`);
      const rows = await outside(() => calls.run({ sql: real }));
      fromReal(process, opened);
      return rows;
    },
  });
  return end;
}
