// `npm run bench`: everything that has a floor, measured against it in the same run, in at most 10 minutes on 2 cores;
// `npm run bench -- --full`: at full size, with growth; `npm run bench -- export grid`: only these. Prints one line of
// JSON for each figure and a table at the end, and writes docs/performance.md when all were measured. Nothing of it is
// part of the tests: a clock on a busy machine proves nothing.
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

/** What is measured, in which sizes: a quick run, and a full one. */
const measurements = {
  command: { quick: [9], full: [25] },
  start: { quick: [5], full: [11] },
  grid: { quick: [], full: ['--full'] },
  scroll: { quick: [], full: ['--full'] },
  window: { quick: [100_000], full: [1_000_000] },
  plot: { quick: [], full: ['--full'] },
  typing: { quick: [], full: ['--full'] },
  wells: { quick: [], full: ['--full'] },
  datasets: { quick: [], full: ['--full'] },
  inspect: { quick: [200, 3], full: [1000, 3] },
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
  say(`There is no measurement ${unknown.join(', ')}. There are: ${Object.keys(measurements).join(', ')}.`);
  process.exit(2);
}

await ensureDependencies();
if ((await ensureBuild()) !== 0) process.exit(1);
const chromium = await ensureChromium();
const env = { ...pinnedEnvironment(), ...(chromium ? { WELLBENCH_CHROMIUM: chromium } : {}) };

const figures = [];
const failed = [];
for (const name of wanted) {
  const args = values.full ? measurements[name].full : measurements[name].quick;
  const script = join(root, 'test', 'bench', `${name}.ts`);
  if (args === null || !existsSync(script)) continue;
  say(`— ${name}`);
  if (!(await measure(script, args))) failed.push(name);
}
say('');
say(tableOf(figures.filter(({ goal }) => goal !== undefined)));
if (failed.length > 0) say(`Not measured, because of an error: ${failed.join(', ')}.`);
if (positionals.length === 0 && failed.length === 0) writePage();
process.exitCode = failed.length > 0 ? 1 : 0;

/** Runs one script; its lines of JSON are figures. */
async function measure(script, args) {
  const child = spawn(pinnedNode(), [script, ...args.map(String)], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith('{')) continue;
    say(line);
    figures.push(JSON.parse(line));
  }
  return (await ended) === 0;
}

function writePage() {
  const page = join(root, 'docs', 'performance.md');
  const plot = join(root, 'docs', 'growth.svg');
  const grown = figures.filter(({ size }) => size !== undefined);
  if (grown.length > 0) writeFileSync(plot, growthPlot(grown));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(
    page,
    performancePage({
      figures,
      full: values.full,
      version,
      date: new Date().toISOString().slice(0, 10),
      machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}`,
      old: existsSync(page) ? readFileSync(page, 'utf8') : '',
    }),
  );
  say(`Written: ${page}`);
}
