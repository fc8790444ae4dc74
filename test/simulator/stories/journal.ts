import * as z from 'zod';
import { openJournal } from '../../../src/main/core/jobs/journal.ts';
import { dataFolder, openStage } from '../history.ts';
import type { JournalStory } from '../plan.ts';
import { Process } from '../world/machine.ts';

// The journal alone, again and again: what was flushed is there, in its order, and nothing that was never written.

const entry = z.object({ number: z.int(), text: z.string() });
type Entry = z.infer<typeof entry>;

/** Runs the history. @returns what the oracle objects to; empty: nothing */
export async function runJournal(plan: JournalStory): Promise<string[]> {
  const stage = openStage(plan);
  const { world, computer } = stage;
  const folder = `${dataFolder}/jobs/a`;
  computer.disk.place(`${folder}/plan.json`, Buffer.from('{}'));
  /** What is there for certain, and what may follow it. */
  let certain: readonly Entry[] = [];
  let possible: Entry[] = [];
  let number = 0;
  const objections: string[] = [];

  async function live(): Promise<void> {
    const journal = await openJournal(`${folder}/journal.ndjson`, entry);
    const { entries } = journal;
    const all = [...certain, ...possible];
    const isPrefix = entries.every((one, at) => one.number === all[at]?.number && one.text === all[at].text);
    if (entries.length < certain.length)
      objections.push(`${certain.length} entries were flushed, and ${entries.length} are there`);
    else if (!isPrefix) objections.push('the journal has other entries than were written');
    // Reading flushes nothing.
    [certain, possible] = [entries.slice(0, certain.length), entries.slice(certain.length)];
    for (let left = plan.entries; left > 0; left -= 1) {
      number += 1;
      const added = Array.from({ length: world.chance.integer(1, 3) }, () => ({
        number,
        text: 'x'.repeat(world.chance.scale(1, 900)),
      }));
      const before = [...certain, ...possible];
      possible = [...possible, ...added];
      const flush = world.chance.is(0.4);
      try {
        await journal.append(added, { flush });
        if (flush) [certain, possible] = [[...before, ...added], []];
      } catch {
        // The journal is closed after some errors, and goes on after others; these entries aren't in it, or are its last.
        if (Process.caller().isDead || world.chance.is(0.5)) break;
        possible = before.slice(certain.length);
      }
    }
    await journal.close();
  }

  const lives = [...plan.lives, { ...plan.lives[0], death: null }];
  const main = async (): Promise<void> => {
    for (const [at, { death }] of lives.entries()) {
      if (at === lives.length - 1) computer.disk.faults = [];
      const process = new Process(`process ${at + 1}`, computer, death);
      world.note('starts', process.name);
      const lived = process.enter(live).catch((error: unknown) => {
        const { code } = error instanceof Error && 'code' in error ? error : { code: '' };
        world.note(`can’t go on: ${String(error)}`, process.name);
        if (code === 'file_unreadable') objections.push(`the journal can’t be read: ${String(error)}`);
      });
      await Promise.race([lived, process.died.promise]);
      process.die('end of the life');
      await world.wait(100);
    }
  };
  await world.run(main());
  return objections;
}
