import { parseArgs } from 'node:util';
import { soakBranches } from './soaks/branches.ts';
import { soakCases } from './soaks/cases.ts';
import { soakExports } from './soaks/exports.ts';
import { soakFuzz } from './soaks/fuzz.ts';
import { soakMirrors } from './soaks/mirrors.ts';
import { soakPlanted } from './soaks/planted.ts';
import { soakSimulate } from './soaks/simulate.ts';
import type { Soak } from './soaks/soak.ts';
import { soakRows } from './soaks/rows.ts';
import { soakTapes } from './soaks/tapes.ts';
import { soakUploads } from './soaks/uploads.ts';

/** Each soak by its name; new ones are added here. */
const soaks: Readonly<Record<string, Soak>> = {
  uploads: soakUploads,
  exports: soakExports,
  mirrors: soakMirrors,
  fuzz: soakFuzz,
  rows: soakRows,
  tapes: soakTapes,
  simulate: soakSimulate,
  planted: soakPlanted,
  branches: soakBranches,
  cases: soakCases,
};

const { values, positionals } = parseArgs({
  options: { amount: { type: 'string' }, for: { type: 'string' }, seed: { type: 'string', default: '1000' } },
  allowPositionals: true,
});
const amountOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

/** The seconds of a text such as `1h`, `10m`, or `30s`. */
function secondsOf(text: string): number {
  const [, number = '', unit = ''] = /^(\d+)([hms])$/.exec(text) ?? [];
  if (unit === '') throw new Error(`${text} isn’t a time such as 1h, 10m, or 30s`);
  return Number(number) * (unit === 'h' ? 3600 : unit === 'm' ? 60 : 1);
}
const wanted = positionals.length > 0 ? positionals : Object.keys(soaks);
const unknown = wanted.filter((name) => !Object.hasOwn(soaks, name));
if (unknown.length > 0)
  throw new Error(`there is no soak ${unknown.join(', ')}; there are ${Object.keys(soaks).join(', ')}`);
for (const name of wanted) {
  const end = await soaks[name]?.({
    amount: values.for === undefined ? amountOf(values.amount) : secondsOf(values.for),
    seed: Number(values.seed),
    tell: (line) => process.stderr.write(`${name} · ${line}\n`),
  });
  process.stdout.write(`${JSON.stringify({ soak: name, ...end?.numbers })}\n`);
  if (end?.sound !== true) process.exitCode = 1;
}
