import { rm } from 'node:fs/promises';
import type { KeptTab, KeptTabs, TabsChange } from '../../shared/tabs/tabs.ts';
import type { Lock } from '../files/lock.ts';
import { writeTabs } from './set-file.ts';

/** The tabs of a window that is open; nobody else writes their file meanwhile. */
export interface HeldSet {
  readonly kept: () => KeptTabs;
  /** Resolves when the change, or a later one, is on the disk. @throws AppError `disk_full`, `file_unwritable` */
  change(change: Pick<TabsChange, 'open' | 'closed' | 'active' | 'changed'>): Promise<void>;
  /** Lets go of it, after what is being written. */
  release(): Promise<void>;
}

/** The tabs after a change; those that neither list names are gone. */
export function changedTabs(before: KeptTabs, change: Omit<TabsChange, 'connection' | 'set'>): KeptTabs {
  const known = new Map([...before.open, ...before.closed, ...change.changed].map((tab) => [tab.id, tab]));
  const named = (ids: readonly string[]): KeptTab[] =>
    [...new Set(ids)].flatMap((id) => {
      const tab = known.get(id);
      return tab ? [tab] : [];
    });
  return { open: named(change.open), closed: named(change.closed), active: change.active };
}

/** @param lock held as long as the set is */
export function holdSet(path: string, lock: Lock, found: KeptTabs): HeldSet {
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
    change(change) {
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
    async release() {
      await (waiting ?? writing)?.catch(() => undefined);
      lock.release();
    },
  };
}
