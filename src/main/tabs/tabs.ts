import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import type { calls } from '../../shared/contract/contract.ts';
import type { events } from '../../shared/contract/events.ts';
import { invalidInput } from '../../shared/errors/errors.ts';
import type { HeldTabs, tabsQuery } from '../../shared/tabs/tabs.ts';
import type { RoomHandlers } from '../handlers.ts';
import { isLocked, takeLock } from '../files/lock.ts';
import { holdSet, type HeldSet, readTabs } from './set-file.ts';

export interface TabsOptions {
  readonly dataFolder: string;
  /** Told of what was damaged, and where it was put. */
  readonly warn: (sentence: string) => void;
  /** How long a window that is loaded again waits for its own earlier self to go, in milliseconds. */
  readonly patienceMs?: number;
}

export interface TabSets {
  readonly handlers: RoomHandlers<(typeof calls)['tabs']>;
  /** Hands a window its tabs, and holds them for it until it goes. */
  readonly hold: RoomHandlers<typeof events>['tabs'];
}

type Query = z.infer<typeof tabsQuery>;
const plain = /^[A-Za-z0-9-]{1,64}$/;

const folderOf = (connection: string): string =>
  plain.test(connection) ? connection : createHash('sha256').update(connection).digest('hex');

/**
 * The tabs of windows: `<data>/tabs/<connection>/<set>.json`, one file for each window, locked by the operating system
 * while the window is open. So no window writes over another's, whichever process it belongs to. A window that comes
 * without tabs of its own takes over those of one that is gone: after a crash or a restart they are there again.
 */
export function createTabSets({ dataFolder, warn, patienceMs = 2000 }: TabsOptions): TabSets {
  const held = new Map<string, HeldSet>();
  // A window that was closed while we ran was closed on purpose: a further window doesn't bring its tabs back.
  const closedHere = new Set<string>();

  /** Null: another window holds it, or it is not for us; `why` then hears of that. */
  async function take(
    folder: string,
    set: string,
    waitMs: number,
    why: (sentence: string) => void,
  ): Promise<HeldTabs | null> {
    const path = join(folder, `${set}.json`);
    const until = performance.now() + waitMs;
    let lock = takeLock(join(folder, `${set}.lock`));
    while (!lock && performance.now() < until) {
      await sleep(25);
      lock = takeLock(join(folder, `${set}.lock`));
    }
    if (!lock) return null;
    const read = await readTabs(path).catch((error: unknown) => {
      lock.release();
      throw error;
    });
    if ('foreign' in read) {
      lock.release();
      warn(read.foreign);
      why(read.foreign);
      return null;
    }
    await clearAfterCrash(folder, set);
    if (read.problem !== null) warn(`${read.problem} It lies in ${folder}.`);
    held.set(path, holdSet(path, lock, read.kept));
    closedHere.delete(set);
    return { set, ...read };
  }

  /** The sets of windows that are gone, the one that changed last first. */
  async function abandoned(folder: string): Promise<string[]> {
    const names = await readdir(folder);
    const named = (end: string): string[] =>
      names.flatMap((name) => (name.endsWith(end) ? [name.slice(0, -end.length)] : []));
    const busy = new Set(named('.lock').filter((set) => isLocked(join(folder, `${set}.lock`))));
    const found = await Promise.all(
      named('.json')
        .filter((set) => plain.test(set) && !busy.has(set) && (busy.size === 0 || !closedHere.has(set)))
        .map(async (set) => ({ set, at: (await stat(join(folder, `${set}.json`))).mtimeMs })),
    );
    return found.toSorted((a, b) => b.at - a.at).map(({ set }) => set);
  }

  async function open({ connection, set }: Query): Promise<HeldTabs> {
    const folder = join(dataFolder, 'tabs', folderOf(connection));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    let problem: string | null = null;
    const why = (sentence: string): void => void (problem ??= sentence);
    const own = set === null ? null : await take(folder, set, patienceMs, why);
    if (own) return own;
    for (const candidate of await abandoned(folder)) {
      const taken = await take(folder, candidate, 0, why);
      if (taken) return { ...taken, problem: taken.problem ?? problem };
    }
    const fresh = await take(folder, randomUUID(), 0, why);
    if (!fresh) throw new Error('a lock that nobody knows of is held');
    return { ...fresh, problem };
  }

  const pathOf = (connection: string, set: string): string =>
    join(dataFolder, 'tabs', folderOf(connection), `${set}.json`);

  return {
    handlers: {
      async keep({ connection, set, ...change }) {
        const holding = held.get(pathOf(connection, set));
        if (!holding) throw invalidInput('These tabs are not held by a window. Open the window again.');
        await holding.change(change);
        return {};
      },
    },
    async hold(query, { signal }) {
      return holding(query, signal);
    },
  };

  async function* holding(query: Query, signal: AbortSignal | undefined): AsyncGenerator<HeldTabs> {
    const mine = await open(query);
    const path = pathOf(query.connection, mine.set);
    try {
      yield mine;
      await aborted(signal);
    } finally {
      const set = held.get(path);
      held.delete(path);
      await set?.release();
      closedHere.add(mine.set);
    }
  }
}

/** What a process that was killed while it wrote has left beside a file. To be called by who holds its lock. */
async function clearAfterCrash(folder: string, set: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(`${set}.json.`) && name.endsWith('.tmp'))
      await rm(join(folder, name), { force: true });
}

const aborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
