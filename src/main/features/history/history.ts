import * as z from 'zod';
import { join, basename, dirname } from 'node:path';
import type { calls } from '../../../shared/contract/contract.ts';
import { querySearch } from '../../../shared/channels/channels.ts';
import { invalidInput, AppError } from '../../../shared/errors/errors.ts';
import { plainId } from '../../../shared/files/files.ts';
import { maxStoredLength, type RunNote, maxRuns, run } from '../../../shared/contract/query.ts';
import { type QuestionText, questionText } from '../../../shared/query/question.ts';
import { connectionName } from '../../core/files/plain-name.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';
import { createQueue } from '../../core/queue.ts';
import { wallMs, nextTurn } from '../../world/time.ts';
import { randomUUID } from '../../world/random.ts';
import { jsonOrNull } from '../../../shared/json.ts';
import { withFileLock } from '../../core/files/lock.ts';
import { cutTo, writeWhole } from '../../core/files/disk.ts';
import { isMissing, readFailureReason, writeError } from '../../core/files/file-errors.ts';
import { copyFile, mkdir, open, stat } from '../../world/files.ts';

/** The version of the lines; those of a newer one are left where they are, and passed over. */
const version = 1;

const storedRun = run.extend({ question: questionText.nullable() });
export type StoredRun = z.infer<typeof storedRun>;

const line = z.union([
  z.object({ v: z.literal(version), run: storedRun }),
  z.object({ v: z.literal(version), remove: z.array(plainId) }),
  z.object({ v: z.literal(version), restore: z.array(plainId) }),
]);
export type Entry = { run: StoredRun } | { remove: string[] } | { restore: string[] };

/** The history of one connection, on the disk; several processes may add to it. */
type HistoryFile = ReturnType<typeof openHistory>;

interface HistoryState {
  /** How far the file was read, in bytes, up to the end of a whole line. */
  bytes: number;
  /** The file that it was, which another process may have replaced by a shorter one. */
  inode: number;
  lines: number;
  damaged: number;
  runs: Map<string, StoredRun>;
  removed: Set<string>;
  /** Lines of a newer version, word for word. */
  newerLines: string[];
}

const emptyState = (inode: number): HistoryState => ({
  bytes: 0,
  inode,
  lines: 0,
  damaged: 0,
  runs: new Map(),
  removed: new Set(),
  newerLines: [],
});

const isNewer = (value: unknown): boolean =>
  z.looseObject({ v: z.int().min(version + 1) }).safeParse(value).success;

/** Lines read before yielding to other work. */
const atATime = 250;
/** Number of lines above the limit that trigger the next shortening. */
const maxExtraLines = maxRuns / 5;
/** Limit of the file, in bytes; runs with long queries are dropped sooner, so the file stays fast to read. */
const maxBytes = 32_000_000;
const lockTimeoutMs = 10_000;

function applyLine(state: HistoryState, text: string): void {
  state.lines += 1;
  const value = jsonOrNull(text);
  const { data: entry } = line.safeParse(value);
  const { runs, removed } = state;
  if (!entry && isNewer(value)) state.newerLines.push(text);
  else if (!entry) state.damaged += 1;
  else if ('run' in entry) runs.set(entry.run.id, entry.run);
  else if ('remove' in entry) for (const id of entry.remove) removed.add(id);
  else for (const id of entry.restore) removed.delete(id);
}

const remainingRuns = ({ runs, removed }: HistoryState): StoredRun[] =>
  [...runs.values()].filter(({ id }) => !removed.has(id));

/** @param warn called with where the damaged lines are kept */
async function shorten(path: string, state: HistoryState, warn: (sentence: string) => void): Promise<void> {
  if (state.damaged > 0) {
    const damagedPath = `${path}.damaged-${wallMs()}`;
    await copyFile(path, damagedPath);
    warn(`${state.damaged} lines of the history could not be read; a copy of it is ${damagedPath}.`);
  }
  const newestLines: string[] = [];
  let bytes = 0;
  for (const run of remainingRuns(state).slice(-maxRuns).toReversed()) {
    const text = JSON.stringify({ v: version, run });
    bytes += Buffer.byteLength(text);
    if (bytes > maxBytes / 2) break;
    newestLines.push(text);
  }
  const lines = [...state.newerLines, ...newestLines.toReversed()];
  await writeWhole(path, lines.map((text) => `${text}\n`).join(''));
}

/** Writes a line whole or not at all. @param read reads the lines that others wrote */
async function appendLine(path: string, text: string, read: () => Promise<HistoryState>): Promise<void> {
  const handle = await open(path, 'a', 0o600);
  try {
    const { size } = await handle.stat();
    // A truncated line becomes a line of its own.
    const isCut = size > (await read()).bytes;
    await handle.appendFile(`${isCut ? '\n' : ''}${text}\n`).catch(async (error: unknown) => {
      await cutTo(path, size).catch(() => undefined);
      throw error;
    });
  } finally {
    await handle.close();
  }
}

/** @param warn called before damaged lines are dropped, with the path of a copy of the file */
function openHistory(path: string, warn: (sentence: string) => void) {
  const file = basename(path);
  let state = emptyState(0);
  const queue = createQueue();

  const reason = 'another process is writing to it';
  const busy = () => new AppError('file_unwritable', { file, reason, isBusy: true });

  /** The current content; only new lines are read. */
  async function readNewLines(): Promise<HistoryState> {
    const stats = await stat(path).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw new AppError('file_unreadable', { file, reason: readFailureReason(error) });
    });
    if (!stats) return (state = emptyState(0));
    if (stats.ino !== state.inode || stats.size < state.bytes) state = emptyState(stats.ino);
    if (stats.size === state.bytes) return state;
    const handle = await open(path, 'r');
    try {
      const bytes = Buffer.alloc(stats.size - state.bytes);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, state.bytes);
      // After the last line break is a line that is being written, or one that a crash truncated.
      const end = bytes.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
      const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
      for (const [at, text] of lines.entries()) {
        if (at % atATime === atATime - 1) await nextTurn();
        if (text !== '') applyLine(state, text);
      }
      state.bytes += end;
      return state;
    } finally {
      await handle.close();
    }
  }

  /** Reads run one at a time, each from where the last one ended. */
  const readState = (): Promise<HistoryState> => queue(readNewLines);

  return {
    /** Those that were not removed, the oldest first. @throws AppError `file_unreadable` */
    read: async (): Promise<StoredRun[]> => remainingRuns(await readState()).slice(-maxRuns),
    /** @throws AppError `disk_full`, `file_unwritable` */
    async append(entry: Entry): Promise<void> {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await withFileLock(`${path}.lock`, lockTimeoutMs, busy, async () => {
        const state = await readState();
        if (state.lines >= maxRuns + maxExtraLines || state.bytes > maxBytes)
          await shorten(path, state, warn);
        await appendLine(path, JSON.stringify({ v: version, ...entry }), readState);
      }).catch((cause: unknown) => {
        throw writeError(cause, file);
      });
    },
  };
}

export interface HistoryOptions {
  readonly dataFolder: string;
  readonly warn: (sentence: string) => void;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

/** Maximum length of a query in a list. */
const maxShownLetters = 300;

function textOf({ mode, find, aggregate, pipeline, sql }: QuestionText): string {
  if (mode === 'sql') return sql.statement;
  if (mode === 'find') return [find.query, find.sort === '' ? '' : `sort ${find.sort}`].join(' ');
  if (mode === 'pipeline') return pipeline.stages;
  return [aggregate.match, aggregate.group === '' ? '' : `group ${aggregate.group}`].join(' ');
}

const inOneLine = (text: string): string =>
  text
    .slice(0, maxShownLetters * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, maxShownLetters);

const searchTextOf = (run: StoredRun): string =>
  [
    `${run.provider}/${run.dataset}`,
    run.mode,
    run.outcome,
    ...run.wells.map(({ name, assetId }) => `${name} ${assetId}`),
    run.question ? textOf(run.question) : run.text,
  ]
    .join('\n')
    .toLocaleLowerCase();

/**
 * The runs of each connection: `<data>/history/<connection>.ndjson`, append-only until it is shortened to the
 * newest runs. Only windows record runs; scheduled commands would displace them.
 */
export function createHistory({
  dataFolder,
  warn,
  now = wallMs,
}: HistoryOptions): ModuleHandlers<(typeof calls)['history']> {
  const files = new Map<string, HistoryFile>();
  function fileOf(connection: string): HistoryFile {
    const name = connectionName(connection);
    const file = files.get(name) ?? openHistory(join(dataFolder, 'history', `${name}.ndjson`), warn);
    files.set(name, file);
    return file;
  }

  return {
    async note({ connection, question, ...note }: RunNote) {
      const isStoredWhole = JSON.stringify(question).length <= maxStoredLength;
      const text = inOneLine(textOf(question));
      await fileOf(connection).append({
        run: {
          ...note,
          id: randomUUID(),
          at: now(),
          text,
          whole: isStoredWhole,
          question: isStoredWhole ? question : null,
        },
      });
      return {};
    },
    async list({ connection, search, limit }) {
      const all = await fileOf(connection).read();
      const matches = querySearch(search);
      const matchingRuns = search.trim() === '' ? all : all.filter((run) => matches(searchTextOf(run)));
      const runs = matchingRuns
        .slice(-limit)
        .toReversed()
        .map(({ question, ...run }) => ({ ...run, text: question ? inOneLine(textOf(question)) : run.text }));
      return { runs, matching: matchingRuns.length, all: all.length };
    },
    async get({ connection, id }) {
      const run = (await fileOf(connection).read()).find((storedRun) => storedRun.id === id);
      if (!run?.question)
        throw invalidInput('This run is no longer in the history, or its query was too long to store.');
      return { question: run.question };
    },
    async remove({ connection, ids }) {
      const file = fileOf(connection);
      const currentIds = (await file.read()).map(({ id }) => id);
      const removed = ids ? currentIds.filter((id) => ids.includes(id)) : currentIds;
      if (removed.length > 0) await file.append({ remove: removed });
      return { ids: removed };
    },
    async restore({ connection, ids }) {
      await fileOf(connection).append({ restore: ids });
      return {};
    },
  };
}
