import { availableParallelism } from 'node:os';
import { runHistories } from '../../simulator/run.ts';
import type { SoakEnd, SoakOptions } from './soak.ts';

const usualSeconds = 3600;
/** Seeds of one process, which no other has. */
const seedsEach = 10_000_000;

/** A process waits for the engine of tables now and then: one more than there are cores keeps them at work. */
const processes = availableParallelism() + 1;

/** Runs histories of the simulator on all cores for some seconds. Seeds begin at the time, unless one is given. */
export async function soakSimulate({
  amount: seconds = usualSeconds,
  seed,
  tell,
}: SoakOptions): Promise<SoakEnd> {
  const first = seed === 1000 ? Math.floor(Date.now() / 1000) : seed;
  const runs = await Promise.all(
    Array.from({ length: processes }, (_, nth) => runHistories({ from: first + nth * seedsEach, seconds })),
  );
  const failed = runs.flatMap((run) => run.failed);
  for (const { seed: failing, objection } of failed)
    tell(`npm run simulate -- --seed ${failing}: ${objection}`);
  const histories = runs.reduce((sum, run) => sum + run.histories, 0);
  return {
    sound: failed.length === 0,
    numbers: {
      seeds: first,
      histories,
      perHour: Math.round((histories / seconds) * 3600),
      failed: failed.length,
    },
  };
}
