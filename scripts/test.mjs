// `npm test` installs dependencies, checks types, style, packages, build, and size, and runs all tests.
//   --quick    types, lint, format and unit tests of single modules: no window, no browser, no whole jobs
//   --static   all checks, no tests
//   --unit     build and unit tests
//   --browser  build and browser tests; --shard=N/M runs one part of M
// The last line is `N passed, N failed`, with `N skipped` if any; each check counts as one test. The lines before it name the
// failures and the files to open.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureChromium } from './lib/chromium.mjs';
import { ensureKeyring } from './lib/keyring.mjs';
import { checkPackages } from './lib/packages.mjs';
import {
  failedBrowserTests,
  failedUnitTests,
  reasonsForSkipping,
  retriedBrowserTests,
  retriedUnitTests,
} from './lib/report.mjs';
import { say } from './lib/run.mjs';
import { ensureBuild, ensureDependencies, pinnedEnvironment, root, runTool } from './lib/setup.mjs';
import { checkSize } from './lib/size.mjs';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    static: { type: 'boolean', default: false },
    unit: { type: 'boolean', default: false },
    browser: { type: 'boolean', default: false },
    shard: { type: 'string' },
  },
});
const runsAll = !(options.quick || options.static || options.unit || options.browser);
const runsStatic = runsAll || options.static;
const checksSource = runsStatic || options.quick;
const runsUnit = runsAll || options.unit || options.quick;
const runsBrowser = runsAll || options.browser;

// Output for a log has no colors.
if (!process.stdout.isTTY) process.env.NO_COLOR = '1';

const reports = join(root, 'out', 'reports');
const totals = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const notRun = [];
const retried = [];

// What tests and their browsers leave behind, also when one is killed, goes with this folder.
const temporary = mkdtempSync(join(tmpdir(), 'wellbench-'));
const testEnvironment = () => ({
  ...pinnedEnvironment(),
  TMPDIR: temporary,
  TMP: temporary,
  TEMP: temporary,
});

/** Runs a phase and prints its duration. */
async function timed(name, work) {
  const started = performance.now();
  const code = await work();
  say(`${code === 0 ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  return code;
}

async function check(name, work) {
  const code = await timed(name, work);
  totals[code === 0 ? 'passed' : 'failed']++;
  if (code !== 0) failures.push(name);
  return code === 0;
}

/** Adds the counts of a runner. A runner without a report, or that failed without a failed test, counts as a failure. */
function count(name, code, figures, failedTests) {
  if (figures) for (const key of Object.keys(totals)) totals[key] += figures[key];
  for (const { name: test, open } of failedTests) failures.push(`${test}\n  open ${relative(root, open)}`);
  if (code === 0 && figures) return code;
  if (!figures || figures.failed === 0) {
    totals.failed++;
    failures.push(name);
  }
  return 1;
}

function readReport(file) {
  const path = join(reports, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

async function unitTests(name, projects) {
  const file = `${projects[0]}.json`;
  // Tests start the command line, threads, and processes from the build.
  const env = {
    ...testEnvironment(),
    WELLBENCH_TEST_CLI: join(root, 'out', 'main', 'cli.js'),
    ...(options.quick ? { WELLBENCH_QUICK: '1' } : {}),
  };
  const code = await runTool(
    'vitest/vitest.mjs',
    [
      'run',
      ...projects.map((project) => `--project=${project}`),
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${join(reports, file)}`,
    ],
    { env },
  );
  const report = readReport(file);
  if (report) retried.push(...retriedUnitTests(report));
  const figures = report && {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  return count(name, code, figures, report ? failedUnitTests(report) : []);
}

async function browserTests() {
  const chromium = await ensureChromium();
  if (!chromium) return count('browser tests: no Chromium could be had', 1, undefined, []);
  const env = {
    ...testEnvironment(),
    WELLBENCH_CHROMIUM: chromium,
    PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, 'browser.json'),
  };
  const shard = options.shard === undefined ? [] : [`--shard=${options.shard}`];
  const code = await runTool('@playwright/test/cli.js', ['test', '--reporter=list,json', ...shard], { env });
  const report = readReport('browser.json');
  if (!report) return count('browser tests', code, undefined, []);
  const { expected, flaky, unexpected, skipped } = report.stats;
  notRun.push(...reasonsForSkipping(report));
  retried.push(...retriedBrowserTests(report));
  const figures = { passed: expected + flaky, failed: unexpected, skipped };
  return count('browser tests', code, figures, failedBrowserTests(report, report.config.rootDir));
}

try {
  await ensureDependencies();
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  if (checksSource) {
    await check('format', () => runTool('oxfmt/bin/oxfmt', ['--check']));
    // In one pass: rules need the types of all files, which take longest.
    await check('lint and types', () =>
      runTool('oxlint/bin/oxlint', ['--type-aware', '--type-check', '--quiet']),
    );
  }
  if (runsStatic) {
    await check('unused code and dependencies', () => runTool('knip/bin/knip.js', ['--no-progress']));
    await check('licenses and install scripts of packages', () =>
      Math.max(checkPackages(root), checkPackages(join(root, 'packaging'))),
    );
  }
  if (await check('build', () => ensureBuild({ force: !options.quick }))) {
    if (runsStatic) await check('size of the first screen', () => checkSize(join(root, 'out', 'renderer')));
    if (runsUnit) {
      await ensureKeyring();
      if (!options.quick)
        await timed('simulated histories', () => unitTests('simulated histories', ['simulator']));
      await timed('unit and contract tests', () =>
        unitTests('unit and contract tests', options.quick ? ['modules'] : ['modules', 'window', 'isolated']),
      );
    }
    if (runsBrowser) await timed('browser tests', browserTests);
  }
} catch (error) {
  failures.push(error instanceof Error ? error.message : String(error));
  totals.failed++;
} finally {
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
}
for (const test of retried) say(`passed on retry: ${test}`);
for (const { reason, count: tests } of notRun) say(`${tests} skipped: ${reason}`);
for (const failure of failures) say(`failed: ${failure}`);
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
say(`${totals.passed} passed, ${totals.failed} failed${skipped}`);
process.exitCode = totals.failed > 0 ? 1 : 0;
