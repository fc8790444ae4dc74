import * as z from 'zod';
import { AppError } from '../../../shared/errors/errors.ts';
import {
  keptTab,
  keptTabs,
  type KeptTab,
  type KeptTabs,
  type TabsChange,
} from '../../../shared/tabs/tabs.ts';
import { describeDamage, readVersioned, writeVersioned } from '../../core/files/shared-file.ts';
import type { Lock } from '../../core/files/lock.ts';
import { rm } from '../../world/files.ts';

const format = 1;

const noTabs: KeptTabs = { open: [], closed: [], active: null, neighbor: null, preview: null };

const setFile = z.object({
  format: z.int(),
  open: z.array(z.unknown()),
  closed: z.array(z.unknown()),
  active: keptTabs.shape.active.catch(null),
  neighbor: keptTabs.shape.neighbor.catch(null),
  preview: keptTabs.shape.preview.catch(null),
});

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
 * Reads a set of tabs under its lock.
 * @returns `foreign`: the file is of a newer version or can't be read, and is unchanged
 * @throws Error of the file system, except for a file that can’t be read
 */
export async function readTabs(path: string): Promise<ReadTabs | { readonly foreign: string }> {
  try {
    const { value, setAsideAs } = await readVersioned({ path, format, read: readContent });
    const problem =
      setAsideAs === null ? null : describeDamage('tabs of this window', value !== null, setAsideAs);
    return { storedTabs: value ?? noTabs, problem };
  } catch (error) {
    if (error instanceof AppError) return { foreign: error.message };
    throw error;
  }
}

/** @throws AppError `disk_full`, `file_unwritable` */
const writeTabs = (path: string, storedTabs: KeptTabs): Promise<void> =>
  writeVersioned(path, format, storedTabs);

/** The tabs of an open window; no other process writes their file. */
export type LockedSet = ReturnType<typeof openLockedSet>;

/** Applies a change; tabs in neither list are removed. */
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
export function openLockedSet(path: string, lock: Lock, found: KeptTabs) {
  let storedTabs = found;
  let writing: Promise<void> | null = null;
  let pendingWrite: Promise<void> | null = null;

  async function write(): Promise<void> {
    // A window without tabs needs no file.
    if (storedTabs.open.length + storedTabs.closed.length === 0) await rm(path, { force: true });
    else await writeTabs(path, storedTabs);
  }
  function begin(): Promise<void> {
    const mine = write().finally(() => (writing = null));
    writing = mine;
    return mine;
  }

  return {
    storedTabs: () => storedTabs,
    /** Resolves when the change, or a later one, is on the disk. @throws AppError `disk_full`, `file_unwritable` */
    change(change: Omit<TabsChange, 'connection' | 'set'>): Promise<void> {
      storedTabs = changedTabs(storedTabs, change);
      if (!writing) return begin();
      // Changes during a write are written together afterwards.
      pendingWrite ??= writing
        .catch(() => undefined)
        .then(() => {
          pendingWrite = null;
          return begin();
        });
      return pendingWrite;
    },
    /** Releases the lock, after the last change is written. */
    async release(): Promise<void> {
      await (pendingWrite ?? writing)?.catch(() => undefined);
      lock.release();
    },
  };
}
