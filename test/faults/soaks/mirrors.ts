import { mirrorKillRound } from '../mirror-kill-round.ts';
import type { SoakEnd, SoakOptions } from './soak.ts';

const usualUpdates = 20;

/** A Python with deltalake, which reads the mirror after each kill; null: it isn't read by another program. */
const otherReader = process.env['WELLBENCH_DELTA_PYTHON'] ?? null;

/** Kills the updates of one mirror while records come late, come with wrong times or none, and are deleted. */
export async function soakMirrors({ amount = usualUpdates, seed, tell }: SoakOptions): Promise<SoakEnd> {
  const totals = await mirrorKillRound(seed, { updates: amount, hasChanges: true, reader: otherReader });
  tell(`seed ${seed}: ${JSON.stringify(totals)}`);
  return {
    sound: totals.tornCount === 0 && totals.misreadCount === 0 && totals.isEqual,
    numbers: { seed, ...totals },
  };
}
