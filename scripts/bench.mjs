// `npm run bench` compares each figure with a floor of the same run, in about 15 minutes on 2 cores. `--full`: at full size,
// with growth; `npm run bench -- export grid`: only these. Prints a line of JSON for each figure, and a table at the end. A
// run of all measurements updates docs/performance.md after each figure, so a run that stops early loses nothing; a failure
// is listed there, and the run continues. The tests don't include it: times on a busy machine prove nothing.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { ensureChromium } from './lib/chromium.mjs';
import { growthPlot } from './lib/growth-plot.mjs';
import { performancePage, tableOf } from './lib/performance-page.mjs';
import { say } from './lib/run.mjs';
import { ensureBuild, ensureDependencies, pinnedEnvironment, pinnedNode, root } from './lib/setup.mjs';

/** The measurements with their sizes, for a quick and a full run. */
const measurements = {
  start: { quick: [5], full: [11] },
  grid: { quick: [], full: ['--full'] },
  scroll: { quick: [], full: ['--full'] },
  window: { quick: [100_000], full: [1_000_000] },
  actions: { quick: [], full: ['--full'] },
  plot: { quick: [], full: ['--full'] },
  typing: { quick: [], full: ['--full'] },
  wells: { quick: [], full: ['--full'] },
  datasets: { quick: [], full: ['--full'] },
  inspect: { quick: [200, 3], full: [1000, 3] },
  quality: { quick: [1_000_000, 3], full: [2_000_000, 3] },
  sql: { quick: [10_000_000, 3], full: [10_000_000, 5] },
  sources: { quick: [300_000, 3], full: [1_000_000, 3] },
  'upload-workbook': { quick: [300_000, 2], full: [300_000, 3] },
  export: { quick: [200_000, 3], full: [1_000_000, 3] },
  upload: { quick: [200_000, 3], full: [1_000_000, 3] },
  growth: { quick: null, full: [] },
};

const { values, positionals } = parseArgs({
  options: { full: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const wanted = positionals.length > 0 ? positionals : Object.keys(measurements);
const unknown = wanted.filter((name) => !(name in measurements));
if (unknown.length > 0) {
  say(`Unknown measurement: ${unknown.join(', ')}. Use ${Object.keys(measurements).join(', ')}.`);
  process.exit(2);
}

await ensureDependencies();
if ((await ensureBuild()) !== 0) process.exit(1);
const chromium = await ensureChromium();
const env = { ...pinnedEnvironment(), ...(chromium ? { WELLBENCH_CHROMIUM: chromium } : {}) };

const limitMs = (values.full ? 120 : 15) * 60_000;
const figures = [];
const pending = wanted.filter((name) => values.full || measurements[name].quick !== null);
const began = performance.now();
for (const name of pending.slice()) {
  say(`— ${name}, after ${Math.round((performance.now() - began) / 60_000)} min`);
  const reason = await measure(name);
  if (reason) note({ name, failed: reason });
  pending.shift();
  writePage();
}
say('');
say(tableOf(figures.filter(({ goal }) => goal !== undefined)));
const failed = figures.filter(({ failed: why }) => why !== undefined);
for (const { name, failed: why } of failed) say(`Not measured: ${name}: ${why}`);
process.exitCode = failed.length > 0 ? 1 : 0;

/** Runs a script that prints figures as JSON. @returns why it failed; null: it succeeded, or reported the failure itself */
async function measure(name) {
  const args = values.full ? measurements[name].full : (measurements[name].quick ?? []);
  const child = spawn(pinnedNode(), [join(root, 'test', 'bench', `${name}.ts`), ...args.map(String)], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: limitMs,
  });
  const ended = new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('close', (code, signal) => resolve(signal ? `it was ended by ${signal}` : code));
  });
  const before = figures.length;
  for await (const line of createInterface(child.stdout)) if (line.startsWith('{')) note(JSON.parse(line));
  const code = await ended;
  if (code === 0) return null;
  const isReported = figures.slice(before).some(({ failed: why }) => why !== undefined);
  return code === 1 && isReported ? null : `exit code ${code}`;
}

function note(figure) {
  say(JSON.stringify(figure));
  figures.push(figure);
  writePage();
}

function writePage() {
  if (positionals.length > 0) return;
  const page = join(root, 'docs', 'performance.md');
  const plot = join(root, 'docs', 'growth.svg');
  const grown = figures.filter(({ size }) => size !== undefined);
  if (grown.length > 0) writeFileSync(plot, growthPlot(grown));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(
    page,
    performancePage({
      figures,
      toCome: pending,
      full: values.full,
      version,
      date: new Date().toISOString().slice(0, 10),
      machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}`,
      old: existsSync(page) ? readFileSync(page, 'utf8') : '',
    }),
  );
}
