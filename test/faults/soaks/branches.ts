import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { runHistories } from '../../simulator/run.ts';
import type { SoakEnd, SoakOptions } from './soak.ts';

const root = join(import.meta.dirname, '../../..');
const usualHistories = 1200;

/** The core of the engines, below src/main. */
const modules: Readonly<Record<string, readonly string[]>> = {
  journal: ['core/jobs/journal.ts'],
  ledger: ['features/upload/ledger.ts'],
  sender: ['features/upload/sending/*.ts', 'features/upload/run.ts'],
  checkpoint: ['features/export/run.ts', 'core/write/export-worker.ts'],
  deltaLog: ['core/write/delta/*.ts'],
  readAhead: ['core/reading/*.ts'],
};
/** The folders of their tests, below test/main. */
const tests = [
  ...['jobs', 'reading', 'write'].map((name) => `core/${name}`),
  ...['export', 'quality', 'query', 'upload'].map((name) => `features/${name}`),
  'stopped-jobs',
];

const range = z.object({ startOffset: z.int(), endOffset: z.int(), count: z.int() });
type Range = z.infer<typeof range>;
/** What V8 has counted in a process or a thread. */
const coverage = z.object({
  result: z.array(z.object({ url: z.string(), functions: z.array(z.object({ ranges: z.array(range) })) })),
});

/**
 * Runs unit tests and `amount` histories of the simulator, and looks for branches of the engines that neither has run. Both
 * run the sources as they are, so that places in the running code are those of the source.
 */
export async function soakBranches({
  amount: count = usualHistories,
  seed,
  tell,
}: SoakOptions): Promise<SoakEnd> {
  const folder = mkdtempSync(join(tmpdir(), 'wellbench-branches-'));
  process.env['NODE_V8_COVERAGE'] = folder;
  const [{ failed }, areTestsSound] = await Promise.all([runHistories({ from: seed, count }), runTests()]);
  delete process.env['NODE_V8_COVERAGE'];
  const scripts = readdirSync(folder).flatMap((name) => {
    const { result } = coverage.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    return result.map(({ url, functions }) => ({ url, ranges: functions.flatMap(({ ranges }) => ranges) }));
  });
  rmSync(folder, { recursive: true });
  let isAllRun = true;
  const numbers: Record<string, string> = { failed: String(failed.length) };
  for (const [name, patterns] of Object.entries(modules)) {
    let [all, missed] = [0, 0];
    for (const path of globSync([...patterns], { cwd: join(root, 'src', 'main') }).sort()) {
      const file = join(root, 'src', 'main', path);
      const { href } = pathToFileURL(file);
      const runs = scripts.flatMap(({ url, ranges }) => (url === href ? [ranges] : []));
      const neverRun = partsNeverRun(readFileSync(file, 'utf8'), runs);
      all += new Set(runs.flat().map(({ startOffset, endOffset }) => `${startOffset} ${endOffset}`)).size;
      missed += neverRun.length;
      for (const part of neverRun) tell(`src/main/${path}:${part}`);
    }
    numbers[name] = `${all - missed} of ${all}`;
    isAllRun &&= missed === 0 && all > 0;
  }
  return { sound: isAllRun && areTestsSound && failed.length === 0, numbers };
}

async function runTests(): Promise<boolean> {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = ['run', '--project=modules', '--experimental.viteModuleRunner=false'];
  const child = spawn(process.execPath, [vitest, ...args, ...tests.map((name) => `test/main/${name}`)], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}

/** The parts of a source that no run has run: line, and code. */
function partsNeverRun(text: string, runs: readonly (readonly Range[])[]): string[] {
  const hasRun = new Uint8Array(text.length + 1);
  for (const ranges of runs) {
    const counted = new Uint8Array(text.length);
    // Ranges are nested: the shortest one around a place counts.
    const nested = ranges.toSorted((a, b) => b.endOffset - b.startOffset - (a.endOffset - a.startOffset));
    for (const { startOffset, endOffset, count } of nested)
      counted.fill(count > 0 ? 1 : 0, startOffset, endOffset);
    for (const [at, run] of counted.entries()) if (run) hasRun[at] = 1;
  }
  // Where a part ends.
  hasRun[text.length] = 1;
  const parts: string[] = [];
  for (let at = hasRun.indexOf(0); at >= 0;) {
    const end = hasRun.indexOf(1, at);
    const code = text.slice(at, end).trim();
    // Brackets that follow a return are no branch.
    if (/[^\s{}();]/.test(code))
      parts.push(`${text.slice(0, at).split('\n').length}: ${code.replaceAll(/\s+/g, ' ')}`);
    at = hasRun.indexOf(0, end);
  }
  return parts;
}
