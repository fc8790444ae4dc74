import { exportKillRound, emptyExportToll } from '../export-kill-round.ts';
import type { SoakEnd, SoakOptions } from './soak.ts';

const usualKills = 50;

/** Kills exports at random moments with a failing service, until this many have been killed. */
export async function soakExports({ amount = usualKills, seed, tell }: SoakOptions): Promise<SoakEnd> {
  const toll = emptyExportToll();
  let round = seed;
  for (; toll.kills < amount; round++) {
    await exportKillRound(round, toll);
    tell(`seed ${round}: ${JSON.stringify(toll)}`);
  }
  return { sound: toll.different + toll.early === 0, numbers: { seeds: [seed, round - 1], ...toll } };
}
