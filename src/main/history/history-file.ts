import { copyFile, mkdir, open, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import * as z from 'zod';
import { AppError } from '../../shared/errors/errors.ts';
import { mostRuns, run, runId } from '../../shared/history/history.ts';
import { questionText } from '../../shared/query/question.ts';
import { alone } from '../files/lock.ts';
import { writeWhole } from '../files/disk.ts';
import { isMissing, reasonInWords, writeError } from '../files/file-errors.ts';

/** The version of the lines; those of a newer one are left where they are, and passed over. */
const version = 1;

const storedRun = run.extend({ question: questionText.nullable() });
export type StoredRun = z.infer<typeof storedRun>;

const line = z.union([
  z.object({ v: z.literal(version), run: storedRun }),
  z.object({ v: z.literal(version), remove: z.array(runId) }),
  z.object({ v: z.literal(version), restore: z.array(runId) }),
]);
type Line = z.infer<typeof line>;
export type Entry = { run: StoredRun } | { remove: string[] } | { restore: string[] };

/** The history of one connection, on the disk; several processes may add to it. */
export type HistoryFile = ReturnType<typeof openHistory>;

interface Known {
  /** How far the file was read, in bytes, up to the end of a whole line. */
  bytes: number;
  /** The file that it was, which another process may have replaced by a shorter one. */
  inode: number;
  lines: number;
  damaged: number;
  runs: Map<string, StoredRun>;
  removed: Set<string>;
  /** Lines of a newer version, word for word. */
  foreign: string[];
}

const nothingKnown = (inode: number): Known => ({
  bytes: 0,
  inode,
  lines: 0,
  damaged: 0,
  runs: new Map(),
  removed: new Set(),
  foreign: [],
});

const isNewer = (value: unknown): boolean =>
  z.looseObject({ v: z.int().min(version + 1) }).safeParse(value).success;

/** So many lines are read before others have their turn. */
const atATime = 250;
/** Between two shortenings so many lines more than wanted may gather. */
const slack = mostRuns / 5;
/** Long questions are forgotten sooner, so that the history stays quick to read, in bytes. */
const mostBytes = 32_000_000;
const patienceMs = 10_000;

/** @param warn told of what was damaged, and where a copy of it is */
export function openHistory(path: string, warn: (sentence: string) => void) {
  const file = basename(path);
  let known = nothingKnown(0);
  let reading: Promise<Known> = Promise.resolve(known);

  const locked = <T>(work: () => Promise<T>): Promise<T> => {
    const reason = 'another process has been writing to it for a while';
    return alone(`${path}.lock`, patienceMs, () => new AppError('file_unwritable', { file, reason }), work);
  };

  function take(state: Known, text: string): void {
    state.lines += 1;
    const value = parsed(text);
    const one = line.safeParse(value);
    if (one.success) apply(state, one.data);
    else if (isNewer(value)) state.foreign.push(text);
    else state.damaged += 1;
  }

  /** What stands in the file now: only what is new of it is read. */
  async function learn(): Promise<Known> {
    const found = await stat(path).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw new AppError('file_unreadable', { file, reason: reasonInWords(error) });
    });
    if (!found) return (known = nothingKnown(0));
    if (found.ino !== known.inode || found.size < known.bytes) known = nothingKnown(found.ino);
    if (found.size === known.bytes) return known;
    const handle = await open(path, 'r');
    try {
      const bytes = Buffer.alloc(found.size - known.bytes);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, known.bytes);
      // Behind the last line end stands what is still being written, or what a crash has torn.
      const end = bytes.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
      const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
      for (const [at, text] of lines.entries()) {
        if (at % atATime === atATime - 1) await breathe();
        if (text !== '') take(known, text);
      }
      known.bytes += end;
      return known;
    } finally {
      await handle.close();
    }
  }

  /** One look at a time, each from where the one before came to. */
  function look(): Promise<Known> {
    reading = reading.catch(() => known).then(learn);
    return reading;
  }

  const standing = ({ runs, removed }: Known): StoredRun[] =>
    [...runs.values()].filter(({ id }) => !removed.has(id));

  async function shorten(state: Known): Promise<void> {
    if (state.damaged > 0) {
      const aside = `${path}.damaged-${Date.now()}`;
      await copyFile(path, aside);
      warn(`${state.damaged} lines of the history could not be read; a copy of it is ${aside}.`);
    }
    const kept: string[] = [];
    let bytes = 0;
    for (const one of standing(state).slice(-mostRuns).toReversed()) {
      const text = JSON.stringify({ v: version, run: one });
      bytes += Buffer.byteLength(text);
      if (bytes > mostBytes / 2) break;
      kept.push(text);
    }
    const lines = [...state.foreign, ...kept.toReversed()];
    await writeWhole(path, lines.map((text) => `${text}\n`).join(''));
  }

  return {
    /** Those that were not removed, the oldest first. @throws AppError `file_unreadable` */
    read: async (): Promise<StoredRun[]> => standing(await look()).slice(-mostRuns),
    /** @throws AppError `disk_full`, `file_unwritable` */
    async append(entry: Entry): Promise<void> {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await locked(async () => {
        const state = await look();
        if (state.lines >= mostRuns + slack || state.bytes > mostBytes) await shorten(state);
        const handle = await open(path, 'a', 0o600);
        try {
          const { size } = await handle.stat();
          // What a crash has torn is a line of its own then, and does not spoil ours.
          const torn = size > (await look()).bytes;
          const text = `${torn ? '\n' : ''}${JSON.stringify({ v: version, ...entry })}\n`;
          await handle.appendFile(text).catch(async (error: unknown) => {
            await handle.truncate(size).catch(() => undefined);
            throw error;
          });
        } finally {
          await handle.close();
        }
      }).catch((cause: unknown) => {
        throw writeError(cause, file);
      });
    },
  };
}

function apply({ runs, removed }: Known, entry: Line): void {
  if ('run' in entry) runs.set(entry.run.id, entry.run);
  else if ('remove' in entry) for (const id of entry.remove) removed.add(id);
  else for (const id of entry.restore) removed.delete(id);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
