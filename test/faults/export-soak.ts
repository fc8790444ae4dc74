import { parseArgs } from 'node:util';
import { exportKillRound, noExportToll } from './export-kill-round.ts';

/** `--kills N [--seed N]`: kills exports until so many have been killed, and says whether their files are right. */
const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } });
const kills = Number(values.kills ?? 50);
const first = Number(values.seed ?? 100);
const toll = noExportToll();
for (let seed = first; toll.kills < kills; seed++) {
  await exportKillRound(seed, toll);
  process.stderr.write(`seed ${seed}: ${JSON.stringify(toll)}\n`);
}
process.stdout.write(`${JSON.stringify({ firstSeed: first, ...toll })}\n`);
if (toll.different + toll.early > 0) process.exitCode = 1;
