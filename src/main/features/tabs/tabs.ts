import * as z from 'zod';
import { join } from 'node:path';
import { aborted } from '../../../shared/abort.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import type { events } from '../../../shared/contract/events.ts';
import { invalidInput, AppError } from '../../../shared/errors/errors.ts';
import { keptTab, keptTabs, type KeptTab, type KeptTabs } from '../../../shared/tabs/tabs.ts';
import type { HeldTabs, tabsQuery, TabsChange } from '../../../shared/contract/workspace.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';
import { isLocked, takeLock, type Lock } from '../../core/files/lock.ts';
import { createQueue } from '../../core/queue.ts';
import { plainId } from '../../../shared/files/files.ts';
import { connectionName } from '../../core/files/plain-name.ts';
import { mkdir, readdir, rm, stat, utimes } from '../../world/files.ts';
import { elapsedMs, sleep, wallMs } from '../../world/time.ts';
import { randomUUID } from '../../world/random.ts';
import { describeDamage, readVersioned, writeVersioned } from '../../core/files/shared-file.ts';

const format = 1;

const noTabs: KeptTabs = { open: [], closed: [], active: null, neighbor: null, preview: null };

const setFile = keptTabs.extend({ open: z.array(z.unknown()), closed: z.array(z.unknown()) });

/** The readable tabs of a file; damaged ones are skipped. */
function readContent(content: unknown): { value: KeptTabs; partly: boolean } | null {
  const { success, data } = setFile.safeParse(content);
  if (!success) return null;
  const ids = new Set<string>();
  const validTabs = (all: unknown[]): KeptTab[] =>
    all.flatMap((value) => {
      const tab = keptTab.safeParse(value);
      if (!tab.success || ids.has(tab.data.id)) return [];
      ids.add(tab.data.id);
      return [tab.data];
    });
  const [open, closed] = [validTabs(data.open), validTabs(data.closed)];
  const partly = open.length + closed.length < data.open.length + data.closed.length;
  const { active, neighbor, preview } = data;
  return { value: { open, closed, active, neighbor, preview }, partly };
}

interface ReadTabs {
  readonly storedTabs: KeptTabs;
  readonly problem: string | null;
}

/**
 * Reads a set of tabs under its lock, which is released if they can't be used.
 * @returns `foreign`: the file is of a newer version or can't be read, and is unchanged
 * @throws Error of the file system, except for a file that can’t be read
 */
async function readTabs(path: string, lock: Lock): Promise<ReadTabs | { readonly foreign: string }> {
  try {
    const { value, setAsideAs } = await readVersioned({ path, format, read: readContent });
    const problem =
      setAsideAs === null ? null : describeDamage('tabs of this window', value !== null, setAsideAs);
    return { storedTabs: value ?? noTabs, problem };
  } catch (error) {
    lock.release();
    if (error instanceof AppError) return { foreign: error.message };
    throw error;
  }
}

/** The tabs of an open window; no other process writes their file. */
type LockedSet = ReturnType<typeof openLockedSet>;

/** Tabs in neither list are removed. */
function changedTabs(before: KeptTabs, change: Omit<TabsChange, 'connection' | 'set'>): KeptTabs {
  const tabsById = new Map([...before.open, ...before.closed, ...change.changed].map((tab) => [tab.id, tab]));
  const named = (ids: readonly string[]): KeptTab[] =>
    [...new Set(ids)].flatMap((id) => {
      const tab = tabsById.get(id);
      return tab ? [tab] : [];
    });
  const { active, neighbor, preview } = change;
  return { open: named(change.open), closed: named(change.closed), active, neighbor, preview };
}

/** @param lock held as long as the set is open */
function openLockedSet(path: string, lock: Lock, found: KeptTabs) {
  let storedTabs = found;
  const queue = createQueue();
  let nextWrite: Promise<void> | null = null;

  async function write(): Promise<void> {
    nextWrite = null;
    // A window without tabs needs no file.
    if (storedTabs.open.length + storedTabs.closed.length === 0) await rm(path, { force: true });
    else await writeVersioned(path, format, storedTabs);
  }

  return {
    /** Resolves when the change, or a later one, is on the disk. @throws AppError `disk_full`, `file_unwritable` */
    change(change: Omit<TabsChange, 'connection' | 'set'>): Promise<void> {
      storedTabs = changedTabs(storedTabs, change);
      // Changes during a write are written together afterwards.
      nextWrite ??= queue(write);
      return nextWrite;
    },
    /** Releases the lock, after the last change is written. The tabs closed last are the first to be restored. */
    release: (): Promise<void> =>
      queue(async () => {
        const now = wallMs() / 1000;
        await utimes(path, now, now).catch(() => undefined);
        lock.release();
      }),
  };
}

export interface TabsOptions {
  readonly dataFolder: string;
  /** Called when a file can't be used, or a damaged one was set aside. */
  readonly warn: (sentence: string) => void;
  /** How long a window that is loaded again waits for its own earlier self to go, in milliseconds. */
  readonly patienceMs?: number;
}

export interface TabSets {
  readonly handlers: ModuleHandlers<(typeof calls)['tabs']>;
  /** Assigns a set of tabs to a window, locked until the window closes. */
  readonly hold: ModuleHandlers<typeof events>['tabs'];
}

type Query = z.infer<typeof tabsQuery>;

async function takeLockWithin(path: string, waitMs: number): Promise<Lock | null> {
  const until = elapsedMs() + waitMs;
  for (;;) {
    const lock = takeLock(path);
    if (lock || elapsedMs() >= until) return lock;
    await sleep(25);
  }
}

/** The sets of closed windows, most recently closed first, or changed if their process was killed. */
async function abandonedSets(folder: string, closedHere: ReadonlySet<string>): Promise<string[]> {
  const names = await readdir(folder);
  const named = (end: string): string[] =>
    names.flatMap((name) => (name.endsWith(end) ? [name.slice(0, -end.length)] : []));
  const busy = new Set(named('.lock').filter((set) => isLocked(join(folder, `${set}.lock`))));
  const freeSets = await Promise.all(
    named('.json')
      .filter(
        (set) =>
          plainId.safeParse(set).success && !busy.has(set) && (busy.size === 0 || !closedHere.has(set)),
      )
      .map(async (set) => ({ set, at: (await stat(join(folder, `${set}.json`))).mtimeMs })),
  );
  return freeSets.toSorted((a, b) => b.at - a.at).map(({ set }) => set);
}

/**
 * The tabs of windows: `<data>/tabs/<connection>/<set>.json`, one file for each window, locked by the
 * operating system while it is open, so windows of any process don't overwrite each other's. A window without
 * tabs adopts those of a closed window: after a crash or restart they are restored.
 */
export function createTabSets({ dataFolder, warn, patienceMs = 5000 }: TabsOptions): TabSets {
  const lockedSets = new Map<string, LockedSet>();
  // A window that was closed while we ran was closed on purpose: a further window doesn't bring its tabs back.
  const closedHere = new Set<string>();

  /** Null: another window has it, or it can't be used, which is reported. */
  async function lockSet(
    folder: string,
    set: string,
    waitMs: number,
    onProblem: (sentence: string) => void,
  ): Promise<HeldTabs | null> {
    const path = join(folder, `${set}.json`);
    const lock = await takeLockWithin(join(folder, `${set}.lock`), waitMs);
    if (!lock) return null;
    const read = await readTabs(path, lock);
    if ('foreign' in read) {
      warn(read.foreign);
      onProblem(read.foreign);
      return null;
    }
    await clearAfterCrash(folder, set);
    if (read.problem !== null) warn(`${read.problem} It lies in ${folder}.`);
    lockedSets.set(path, openLockedSet(path, lock, read.storedTabs));
    closedHere.delete(set);
    return { set, kept: read.storedTabs, problem: read.problem };
  }

  const folderOf = (connection: string): string => join(dataFolder, 'tabs', connectionName(connection));

  async function open({ connection, set }: Query): Promise<HeldTabs> {
    const folder = folderOf(connection);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    let problem: string | null = null;
    const onProblem = (sentence: string): void => void (problem ??= sentence);
    const ownSet = set === null ? null : await lockSet(folder, set, patienceMs, onProblem);
    if (ownSet) return ownSet;
    for (const candidate of [...(await abandonedSets(folder, closedHere)), randomUUID()]) {
      const adoptedSet = await lockSet(folder, candidate, 0, onProblem);
      if (adoptedSet) return { ...adoptedSet, problem: adoptedSet.problem ?? problem };
    }
    throw new Error('a new set of tabs is locked by another process');
  }

  return {
    handlers: {
      async keep({ connection, set, ...change }) {
        const lockedSet = lockedSets.get(join(folderOf(connection), `${set}.json`));
        if (!lockedSet) throw invalidInput('These tabs are not held by a window. Open the window again.');
        await lockedSet.change(change);
        return {};
      },
    },
    hold: async (query, { signal }) => lockSetOf(query, signal),
  };

  async function* lockSetOf(query: Query, signal: AbortSignal | undefined): AsyncGenerator<HeldTabs> {
    const mine = await open(query);
    const path = join(folderOf(query.connection), `${mine.set}.json`);
    try {
      yield mine;
      await aborted(signal);
    } finally {
      const set = lockedSets.get(path);
      lockedSets.delete(path);
      await set?.release();
      closedHere.add(mine.set);
    }
  }
}

/** Removes files that a killed process left. The caller holds the lock. */
async function clearAfterCrash(folder: string, set: string): Promise<void> {
  // What stays harms nothing.
  for (const name of await readdir(folder).catch(() => []))
    if (name.startsWith(`${set}.json.`) && name.endsWith('.tmp'))
      await rm(join(folder, name), { force: true }).catch(() => undefined);
}
