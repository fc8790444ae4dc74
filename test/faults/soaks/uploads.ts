import { killRound, noToll } from '../kill-round.ts';
import { csvForm, foldedForm } from '../round-forms.ts';
import type { SoakEnd, SoakOptions } from './soak.ts';

const usualKills = 100;

/** Kills uploads, of rows and of rows that are combined into records, at random moments while the service fails, until so many have been killed. */
export async function soakUploads({ amount = usualKills, seed, tell }: SoakOptions): Promise<SoakEnd> {
  const toll = noToll();
  let round = seed;
  for (; toll.kills < amount; round++) {
    await killRound(round, toll, round % 2 === 0 ? csvForm : foldedForm);
    tell(`seed ${round}: ${JSON.stringify(toll)}`);
  }
  return { sound: toll.lost + toll.twice === 0, numbers: { seeds: [seed, round - 1], ...toll } };
}
