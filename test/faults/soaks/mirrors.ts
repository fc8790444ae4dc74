import { mirrorKillRound } from '../mirror-kill-round.ts';
import type { SoakEnd, SoakOptions } from './soak.ts';

const usualUpdates = 20;

/** Kills the updates of one mirror while late records arrive. */
export async function soakMirrors({ amount = usualUpdates, seed, tell }: SoakOptions): Promise<SoakEnd> {
  const toll = await mirrorKillRound(seed, { updates: amount, hasLate: true });
  tell(`seed ${seed}: ${JSON.stringify(toll)}`);
  return { sound: toll.torn === 0 && toll.isEqual, numbers: { seed, ...toll } };
}
