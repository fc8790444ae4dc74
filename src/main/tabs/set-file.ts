import * as z from 'zod';
import { AppError } from '../../shared/errors/errors.ts';
import { keptTab, keptTabs, type KeptTab, type KeptTabs, type TabsChange } from '../../shared/tabs/tabs.ts';
import { readVersioned, writeVersioned } from '../files/shared-file.ts';
import { rm } from 'node:fs/promises';
import type { Lock } from '../files/lock.ts';

/** The format of the file of a set of tabs. */
const format = 1;

const noTabs: KeptTabs = { open: [], closed: [], active: null };

const whole = z.object({
  format: z.int(),
  open: z.array(z.unknown()),
  closed: z.array(z.unknown()),
  active: keptTabs.shape.active.catch(null),
});

/** What of a file can be read; a tab that is damaged is left out, and does not take the others with it. */
function tabsIn(content: unknown): { value: KeptTabs; partly: boolean } | null {
  const { success, data } = whole.safeParse(content);
  if (!success) return null;
  const ids = new Set<string>();
  const sound = (all: unknown[]): KeptTab[] =>
    all.flatMap((one) => {
      const tab = keptTab.safeParse(one);
      if (!tab.success || ids.has(tab.data.id)) return [];
      ids.add(tab.data.id);
      return [tab.data];
    });
  const [open, closed] = [sound(data.open), sound(data.closed)];
  const partly = open.length + closed.length < data.open.length + data.closed.length;
  return { value: { open, closed, active: data.active }, partly };
}

interface ReadTabs {
  readonly kept: KeptTabs;
  readonly problem: string | null;
}

/**
 * Reads a set of tabs that this process holds.
 * @returns `foreign`: a newer version wrote it, or it can't be read for now; it was left alone
 */
export async function readTabs(path: string): Promise<ReadTabs | { readonly foreign: string }> {
  try {
    const { value, aside } = await readVersioned({ path, format, read: tabsIn });
    const lost = value === null ? 'The tabs of this window' : 'Some tabs of this window';
    const problem =
      aside === null ? null : `${lost} could not be read. What was kept of them is now ${aside}.`;
    return { kept: value ?? noTabs, problem };
  } catch (error) {
    if (error instanceof AppError) return { foreign: error.message };
    throw error;
  }
}

/** @throws AppError `disk_full`, `file_unwritable` */
const writeTabs = (path: string, kept: KeptTabs): Promise<void> => writeVersioned(path, format, kept);

/** The tabs of a window that is open; nobody else writes their file meanwhile. */
export type HeldSet = ReturnType<typeof holdSet>;

/** The tabs after a change; those that neither list names are gone. */
function changedTabs(before: KeptTabs, change: Omit<TabsChange, 'connection' | 'set'>): KeptTabs {
  const known = new Map([...before.open, ...before.closed, ...change.changed].map((tab) => [tab.id, tab]));
  const named = (ids: readonly string[]): KeptTab[] =>
    [...new Set(ids)].flatMap((id) => {
      const tab = known.get(id);
      return tab ? [tab] : [];
    });
  return { open: named(change.open), closed: named(change.closed), active: change.active };
}

/** @param lock held as long as the set is */
export function holdSet(path: string, lock: Lock, found: KeptTabs) {
  let kept = found;
  let writing: Promise<void> | null = null;
  let waiting: Promise<void> | null = null;

  async function write(): Promise<void> {
    // A window without tabs needs no file.
    if (kept.open.length + kept.closed.length === 0) await rm(path, { force: true });
    else await writeTabs(path, kept);
  }
  function begin(): Promise<void> {
    const mine = write().finally(() => (writing = null));
    writing = mine;
    return mine;
  }

  return {
    kept: () => kept,
    /** Resolves when the change, or a later one, is on the disk. @throws AppError `disk_full`, `file_unwritable` */
    change(change: Pick<TabsChange, 'open' | 'closed' | 'active' | 'changed'>): Promise<void> {
      kept = changedTabs(kept, change);
      if (!writing) return begin();
      // However many changes come while one is written, one more writing takes them all.
      waiting ??= writing
        .catch(() => undefined)
        .then(() => {
          waiting = null;
          return begin();
        });
      return waiting;
    },
    /** Lets go of it, after what is being written. */
    async release(): Promise<void> {
      await (waiting ?? writing)?.catch(() => undefined);
      lock.release();
    },
  };
}
