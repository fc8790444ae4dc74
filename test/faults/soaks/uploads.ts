import { killRound, emptyToll } from '../kill-round.ts';
import { csvForm, foldedForm } from '../round-forms.ts';
import type { SoakEnd, SoakOptions } from './soak.ts';

const usualKills = 100;

/** Kills uploads, of single and of combined rows, at random moments with a failing service, until this many have been killed. */
export async function soakUploads({ amount = usualKills, seed, tell }: SoakOptions): Promise<SoakEnd> {
  const toll = emptyToll();
  let round = seed;
  for (; toll.kills < amount; round++) {
    await killRound(round, toll, round % 2 === 0 ? csvForm : foldedForm);
    tell(`seed ${round}: ${JSON.stringify(toll)}`);
  }
  return { sound: toll.lost + toll.twice === 0, numbers: { seeds: [seed, round - 1], ...toll } };
}
