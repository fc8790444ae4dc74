// `npm test`: sets up what is missing, then checks types, style, walls, build and size, and runs all tests.
// The last line is `N passed, N failed`, with skipped ones behind; each check counts as one test.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from './lib/chromium.mjs';
import { ensureKeyring } from './lib/keyring.mjs';
import { checkPackages } from './lib/packages.mjs';
import { passedAtSecondTry, reasonsForSkipping } from './lib/report.mjs';
import { say } from './lib/run.mjs';
import { ensureBuild, ensureDependencies, pinnedEnvironment, root, runTool } from './lib/setup.mjs';
import { checkSize } from './lib/size.mjs';

// What is kept in a log is read as text.
if (!process.stdout.isTTY) process.env.NO_COLOR = '1';

const reports = join(root, 'out', 'reports');
const totals = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const notRun = [];
const unsteady = [];

async function check(name, work) {
  const started = performance.now();
  const code = await work();
  totals[code === 0 ? 'passed' : 'failed']++;
  if (code !== 0) failures.push(name);
  say(`${code === 0 ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  return code === 0;
}

/** Adds a runner's own figures; a runner that left no report, or failed without a failed test, counts as a failure. */
function count(name, code, figures) {
  if (figures) for (const key of Object.keys(totals)) totals[key] += figures[key];
  if (code === 0 && figures) return;
  if (!figures || figures.failed === 0) totals.failed++;
  failures.push(name);
}

function readReport(file, figuresOf) {
  const path = join(reports, file);
  return existsSync(path) ? figuresOf(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
}

async function unitTests() {
  const output = join(reports, 'unit.json');
  const code = await runTool('vitest/vitest.mjs', [
    'run',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${output}`,
  ]);
  count(
    'unit and contract tests',
    code,
    readReport('unit.json', (report) => ({
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    })),
  );
}

async function endToEndTests(chromium) {
  if (!chromium) return count('end-to-end tests: no Chromium could be had', 1, undefined);
  const env = {
    ...pinnedEnvironment(),
    WELLBENCH_CHROMIUM: chromium,
    PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, 'e2e.json'),
  };
  const code = await runTool('@playwright/test/cli.js', ['test', '--reporter=list,json'], { env });
  return count(
    'end-to-end tests',
    code,
    readReport('e2e.json', ({ stats, ...report }) => {
      notRun.push(...reasonsForSkipping(report));
      unsteady.push(...passedAtSecondTry(report));
      return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
    }),
  );
}

try {
  await ensureDependencies();
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const chromium = await ensureChromium();
  await ensureKeyring();
  await check('types', () => runTool('typescript/bin/tsc', ['-b']));
  await check('lint', () => runTool('oxlint/bin/oxlint', ['--type-aware', '--quiet']));
  await check('format', () => runTool('prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.']));
  await check('unused code and dependencies', () => runTool('knip/bin/knip.js', ['--no-progress']));
  await check('licences and install scripts of packages', () => checkPackages(root));
  if (await check('build', () => ensureBuild({ force: true }))) {
    await check('size of the first screen', () => checkSize(join(root, 'out', 'renderer')));
    await unitTests();
    await endToEndTests(chromium);
  }
} catch (error) {
  failures.push(error instanceof Error ? error.message : String(error));
  totals.failed++;
}
for (const failure of failures) say(`failed: ${failure}`);
for (const test of unsteady) say(`passed at the second try: ${test}`);
for (const { reason, count } of notRun) say(`${count} skipped: ${reason}`);
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
say(`${totals.passed} passed, ${totals.failed} failed${skipped}`);
process.exitCode = totals.failed > 0 ? 1 : 0;
