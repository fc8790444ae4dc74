import { copyFile, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../files/disk.ts';
import { isMissing } from '../files/file-errors.ts';
import type { Engine } from './engine.ts';
import { openJournal } from './journal.ts';
import { journalName } from './store.ts';
import type { LockedFolder } from './store.ts';

/**
 * Brings a job of an older format up to the engine's, on copies: the journal goes on under a name of its own, and the
 * new plan, which is the last to be written, names it. What the older version wrote stays as it was, the plan as
 * `plan-<format>.json`; a migration that is interrupted is begun again.
 * @throws AppError file_unreadable when the old journal is damaged; then nothing has changed
 */
export async function bringUpToDate(locked: LockedFolder, engine: Engine): Promise<LockedFolder> {
  const { folder, stored } = locked;
  const { format } = engine;
  if (stored.format >= format) return locked;
  const plan = engine.plan.parse(stored.plan);
  const journal = `journal-${format}.ndjson`;
  await copyJournal(join(folder, journalName(stored)), join(folder, journal), engine);
  await writeWhole(join(folder, `plan-${stored.format}.json`), JSON.stringify(stored));
  const migrated = { ...stored, format, plan, journal };
  await writeWhole(join(folder, 'plan.json'), JSON.stringify(migrated));
  return { ...locked, stored: migrated };
}

/** Copies a journal and reads the copy, which cuts off a torn last line there and nowhere else. */
async function copyJournal(from: string, to: string, { entry }: Engine): Promise<void> {
  // What an interrupted migration left is of no use.
  await rm(to, { force: true });
  try {
    await copyFile(from, to);
  } catch (error) {
    // It was stopped before it noted anything.
    if (isMissing(error)) return;
    throw error;
  }
  const read = await openJournal(to, entry);
  await read.close();
  const file = await open(to, 'r+');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}
