import { exportKillRound, emptyExportTotals } from '../export-kill-round.ts';
import type { SoakEnd, SoakOptions } from './soak.ts';

const usualKills = 50;

/** Kills exports at random moments with a failing service, until this many have been killed. */
export async function soakExports({ amount = usualKills, seed, tell }: SoakOptions): Promise<SoakEnd> {
  const totals = emptyExportTotals();
  let round = seed;
  for (; totals.kills < amount; round++) {
    await exportKillRound(round, totals);
    tell(`seed ${round}: ${JSON.stringify(totals)}`);
  }
  return { sound: totals.different + totals.early === 0, numbers: { seeds: [seed, round - 1], ...totals } };
}
