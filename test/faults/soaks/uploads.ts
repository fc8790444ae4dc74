import { killRound, emptyUploadTotals } from '../kill-round.ts';
import { csvForm, foldedForm } from '../round-forms.ts';
import type { SoakEnd, SoakOptions } from './soak.ts';

const usualKills = 100;

/** Kills uploads, of single and of combined rows, at random moments with a failing service, until this many have been killed. */
export async function soakUploads({ amount = usualKills, seed, tell }: SoakOptions): Promise<SoakEnd> {
  const totals = emptyUploadTotals();
  let round = seed;
  for (; totals.kills < amount; round++) {
    await killRound(round, totals, round % 2 === 0 ? csvForm : foldedForm);
    tell(`seed ${round}: ${JSON.stringify(totals)}`);
  }
  return { sound: totals.lost + totals.twice === 0, numbers: { seeds: [seed, round - 1], ...totals } };
}
