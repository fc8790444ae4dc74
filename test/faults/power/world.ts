import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { identityOf } from './identity.ts';

/** The part of kills that are power losses. Flushes are recorded only on Linux. */
export const usualPowerLossRate = process.platform === 'linux' ? 0.5 : 0;

const recordLine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('try') }),
  z.object({ kind: z.literal('file'), ino: z.string(), bytes: z.int() }),
  z.object({ kind: z.literal('cut'), ino: z.string(), bytes: z.int() }),
  z.object({ kind: z.literal('folder'), ino: z.string(), entries: z.record(z.string(), z.string()) }),
]);

/** What is on disk for certain. */
interface Flushed {
  /** The length of each file. */
  readonly bytes: Map<string, number>;
  /** The names in each folder. */
  readonly entries: Map<string, Readonly<Record<string, string>>>;
}

/**
 * A folder whose processes record what they flush, so that it can be made as a power loss would leave it. Files that
 * exist when it is created are on disk.
 */
export class PowerWorld {
  readonly root: string;
  readonly #records: string;

  constructor(root: string, records: string) {
    this.root = root;
    this.#records = records;
    mkdirSync(root, { recursive: true });
    mkdirSync(records, { recursive: true });
    this.settle();
  }

  /** The environment of a process that records. @param endBefore the flush before which it ends; 0: it isn't ended */
  env(endBefore = 0): Record<string, string> {
    const url = pathToFileURL(join(import.meta.dirname, 'record-flushes.ts')).href;
    return {
      NODE_OPTIONS: `--import ${url}`,
      WELLBENCH_TEST_POWER: this.#records,
      WELLBENCH_TEST_WORLD: this.root,
      WELLBENCH_TEST_END_BEFORE: String(endBefore),
    };
  }

  /** Everything is on disk, as some time after the last write. */
  settle(): void {
    const lines = [this.root, ...foldersIn(this.root)].map((folder) => {
      const names = readdirSync(folder);
      const entries = Object.fromEntries(names.map((name) => [name, inodeOf(join(folder, name))]));
      for (const name of names) this.#keep(join(folder, name));
      return { kind: 'folder', ino: inodeOf(folder), entries };
    });
    const files = filesIn(this.root).map((path) => ({
      kind: 'file',
      ino: inodeOf(path),
      bytes: lstatSync(path).size,
    }));
    writeFileSync(join(this.#records, 'flushes.ndjson'), [...lines, ...files].map(lineOf).join(''));
  }

  /** Keeps the content of a file, should its name be undone. */
  #keep(path: string): void {
    const kept = join(this.#records, inodeOf(path));
    if (lstatSync(path).isFile() && !existsSync(kept)) linkSync(path, kept);
  }

  #flushed(): Flushed {
    const flushed: Flushed = { bytes: new Map(), entries: new Map() };
    for (const text of readFileSync(join(this.#records, 'flushes.ndjson'), 'utf8').split('\n')) {
      if (text === '') continue;
      const line = recordLine.parse(JSON.parse(text));
      if (line.kind === 'file') flushed.bytes.set(line.ino, line.bytes);
      if (line.kind === 'cut')
        flushed.bytes.set(line.ino, Math.min(line.bytes, flushed.bytes.get(line.ino) ?? 0));
      if (line.kind === 'folder') flushed.entries.set(line.ino, line.entries);
    }
    return flushed;
  }

  /**
   * Undoes what was not flushed: names, and the content of files. No process of the world may run.
   * @returns what was undone, for messages
   */
  losePower({ isUndone, tailOf }: LossOutcome): string[] {
    const flushed = this.#flushed();
    const undone: string[] = [];
    const visit = (folder: string): void => {
      undone.push(...this.#undoNames(folder, flushed.entries.get(inodeOf(folder)) ?? {}, isUndone));
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory()) visit(join(folder, entry.name));
    };
    visit(this.root);
    for (const path of filesIn(this.root)) {
      const [size, safeBytes] = [lstatSync(path).size, flushed.bytes.get(inodeOf(path)) ?? 0];
      const tail = size > safeBytes ? tailOf(path, size - safeBytes) : 'kept';
      if (tail === 'kept') continue;
      truncateSync(path, safeBytes + tail.keptBytes);
      // A file system can have recorded the length, and not the content.
      if (tail.rest === 'zeros') truncateSync(path, size);
      undone.push(`${path}: ${tail.rest} after ${safeBytes} + ${tail.keptBytes} of ${size} bytes`);
    }
    this.settle();
    return undone;
  }

  #undoNames(
    folder: string,
    onDisk: Readonly<Record<string, string>>,
    isUndone: LossOutcome['isUndone'],
  ): string[] {
    const undone: string[] = [];
    const moved = new Map<string, string>();
    /** Names whose earlier file comes back. */
    const restored = new Set<string>();
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const ino = inodeOf(path);
      if (onDisk[name] === ino || !isUndone(ino)) continue;
      undone.push(`${path} named`);
      restored.add(name);
      const earlier = Object.entries(onDisk).find(([, other]) => other === ino)?.[0];
      if (earlier !== undefined && lstatSync(path).isDirectory()) moved.set(path, join(folder, earlier));
      else rmSync(path, { recursive: true });
    }
    for (const [from, to] of moved) if (!existsSync(to)) renameSync(from, to);
    const names = new Set(readdirSync(folder));
    for (const [name, ino] of Object.entries(onDisk)) {
      const kept = join(this.#records, ino);
      if (names.has(name) || !existsSync(kept) || !(restored.has(name) || isUndone(ino))) continue;
      linkSync(kept, join(folder, name));
      undone.push(`${join(folder, name)} removed`);
    }
    return undone;
  }
}

/** What happens to what was not flushed. */
export interface LossOutcome {
  /** Whether the names that a file got or lost are undone, by its inode: a rename is undone in both folders, or in none. */
  readonly isUndone: (ino: string) => boolean;
  /** What happens to the unflushed bytes of a file. */
  readonly tailOf: (
    path: string,
    bytes: number,
  ) => 'kept' | { readonly keptBytes: number; readonly rest: 'zeros' | 'cut' };
}

/** Everything that was not flushed is undone, or half of it. */
export function randomOutcome(random: () => number): LossOutcome {
  const keptRate = random() < 0.3 ? 0 : 0.5;
  const outcomes = new Map<string, boolean>();
  return {
    isUndone(ino) {
      const isLost = outcomes.get(ino) ?? random() >= keptRate;
      outcomes.set(ino, isLost);
      return isLost;
    },
    tailOf(_path, bytes) {
      if (random() < keptRate) return 'kept';
      const keptBytes = random() < 0.6 ? 0 : Math.floor(random() * bytes);
      return { keptBytes, rest: random() < 0.7 ? 'zeros' : 'cut' };
    },
  };
}

/**
 * Nothing that was not flushed is left, except the bytes of some files.
 * @param keepsBytesOf whether the unflushed bytes of a file stay, such as those of a journal, which others must not contradict
 */
export const worstOutcome = (
  rest: 'zeros' | 'cut',
  keepsBytesOf: (path: string) => boolean,
): LossOutcome => ({
  isUndone: () => true,
  tailOf: (path) => (keepsBytesOf(path) ? 'kept' : { keptBytes: 0, rest }),
});

const lineOf = (line: object): string => `${JSON.stringify(line)}\n`;
const inodeOf = (path: string): string => identityOf(lstatSync(path, { bigint: true }));

const below = (root: string) => readdirSync(root, { recursive: true, withFileTypes: true });
const foldersIn = (root: string): string[] =>
  below(root).flatMap((entry) => (entry.isDirectory() ? join(entry.parentPath, entry.name) : []));
const filesIn = (root: string): string[] =>
  below(root).flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : []));
