import { parseArgs } from 'node:util';
import { killRound, noToll } from './kill-round.ts';

/** `--kills N [--seed N]`: kills uploads until so many have been killed, and says what became of their rows. */
const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } });
const kills = Number(values.kills ?? 100);
const first = Number(values.seed ?? 1000);
const toll = noToll();
for (let seed = first; toll.kills < kills; seed++) {
  await killRound(seed, toll);
  process.stderr.write(`seed ${seed}: ${JSON.stringify(toll)}\n`);
}
process.stdout.write(`${JSON.stringify({ firstSeed: first, ...toll })}\n`);
if (toll.lost + toll.twice > 0) process.exitCode = 1;
