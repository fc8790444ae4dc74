import * as z from 'zod';
import { AppError } from '../../shared/errors/errors.ts';
import { keptTab, keptTabs, type KeptTab, type KeptTabs } from '../../shared/tabs/tabs.ts';
import { readVersioned, writeVersioned } from '../files/shared-file.ts';

/** The format of the file of a set of tabs. */
const format = 1;

export const noTabs: KeptTabs = { open: [], closed: [], active: null };

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

export interface ReadTabs {
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
export const writeTabs = (path: string, kept: KeptTabs): Promise<void> => writeVersioned(path, format, kept);
