import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const window = join(import.meta.dirname, 'test/renderer/window');
const windowTests = ['test/renderer/window/**/*.test.tsx'];
// Each file has a service of its own, which its support module starts when it is loaded.
/** Tests that replace modules, or services, for themselves alone; one measures time, of which V8's own threads take a part. */
const isolated = [
  'test/conformance/**/*.test.ts',
  'test/main/core/files/output-file.test.ts',
  'test/main/core/jobs/job-index.test.ts',
  'test/main/core/write/delta/held-files.test.ts',
  'test/main/hosts/cli/one-parse.test.ts',
  'test/shared/language/cost.test.ts',
];
// Takes both cores: `npm test` runs it before the others.
const simulator = ['test/simulator/**/*.test.ts'];
// Whole jobs, other processes, and laws over thousands of inputs: `npm test -- --quick` leaves them out.
const slow = [
  'test/main/hosts/cli/**/*.test.ts',
  'test/faults/**/*.test.ts',
  'test/**/law{,s}.test.ts',
  'test/**/*.law.test.ts',
  'test/main/features/{export,quality,sql,upload}/**/*.test.ts',
  'test/main/features/query/copies/**/*.test.ts',
  'test/main/core/{jobs,duckdb,keychain}/**/*.test.ts',
  'test/main/core/write/**/*.test.ts',
  'test/main/core/mapping/{existing,existing-records,instants,page-records,survey,propose,real-files,rejects}.test.ts',
  'test/main/core/tables/conversion/**/*.test.ts',
  'test/main/core/tables/reading/{detection-work,facts}.test.ts',
  'test/main/core/tables/sources/{damage,formats,parquet,xlsx}.test.ts',
  'test/main/core/wire/http/response.test.ts',
  'test/main/core/wire/services/{demo,hostile-answers,one-bad-entry,platform}.test.ts',
  'test/main/{stopped-jobs,data-folders}/**/*.test.ts',
  'test/main/redaction.test.ts',
  'test/demo/**/*.test.ts',
  'test/scripts/npm-package.test.ts',
  'test/walls.test.ts',
];

// There are more workers than cores: threads of V8 that collect and compile beside them cost a fifth of all time.
const oneThread = '--single-threaded';

// `npm run soak -- cases` runs laws so many times as often.
const longRuns = Number(process.env['WELLBENCH_LONG'] ?? 0);

const isQuick = process.env['WELLBENCH_QUICK'] !== undefined;

// `npm test` builds first: threads and processes of the application then start from the build.
// `npm run soak -- branches` looks at what tests run.
const coverage =
  process.env['NODE_V8_COVERAGE'] === undefined
    ? []
    : [join(import.meta.dirname, 'test/support/coverage.ts')];

const isBuilt = process.env['WELLBENCH_TEST_CLI'] !== undefined;
const builtWorkers = join(import.meta.dirname, 'test/support/built-workers.ts');

export default defineConfig({
  resolve: {
    alias: isBuilt ? [{ find: /^\.\S*\/workers\.ts$/, replacement: builtWorkers }] : [],
  },
  test: {
    exclude: ['test/e2e/**'],
    setupFiles: coverage,
    pool: 'forks',
    // Two more than there are cores: tests of the window and of whole jobs wait for almost half of their time.
    maxWorkers: availableParallelism() + 2,
    // V8's bookkeeping of WebAssembly code pages can fail where threads start and end quickly (nodejs/node#64500); the
    // type stripper of sources run as they are is WebAssembly.
    // Tests make much garbage that is gone soon: with the larger young generation from the start, collecting it takes half.
    execArgv: ['--no-memory-protection-keys', '--min-semi-space-size=16'],
    // No test touches the keychain of whoever runs it; those of the keychain bring one of their own.
    env: {
      WELLBENCH_KEYCHAIN: 'off',
      // Compiled once for all threads and processes that tests start: most of a start is compiling.
      NODE_COMPILE_CACHE: join(tmpdir(), 'wellbench-test-code'),
    },
    // A hanging test costs two minutes at most; a busy machine is slow, not wrong.
    testTimeout: 120_000 * Math.max(1, longRuns),
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000, interval: 20 } },
    // Without isolation a worker loads a module once for all of its files: half of the time. A test therefore puts back
    // what it changes in the process.
    isolate: false,
    // Compiled once for all projects that have the same settings, and for later runs: half of the start of a test.
    experimental: { fsModuleCache: true },
    // Few projects: each has workers of its own, which load the application again.
    projects: [
      // The window itself, drawn into jsdom over an application of its own in the same process.
      {
        extends: true,
        resolve: {
          alias: [{ find: './code-editor.tsx', replacement: join(window, 'support/code-editor.tsx') }],
        },
        // As it is built: the window's libraries are twice as fast so, and say nothing of what only jsdom lacks.
        oxc: { jsx: { development: false } },
        test: {
          name: 'window',
          env: { NODE_ENV: 'production' },
          include: windowTests,
          environment: 'jsdom',
          // Larger still, because the window is one thread; where tests start many, each of them would have to fill it.
          execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64', oneThread],
          setupFiles: [join(window, 'support/browser.ts')],
          // As for browser tests: tells what is broken from what a busy machine did, and `npm test` names what needed it.
          retry: 1,
          // A look at the window takes as long as others wait for.
          expect: { poll: { timeout: 15_000, interval: 60 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'modules',
          execArgv: [oneThread],
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/e2e/**', ...windowTests, ...isolated, ...simulator, ...(isQuick ? slow : [])],
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated, isolate: true } },
      { extends: true, test: { name: 'simulator', include: simulator, execArgv: [oneThread] } },
    ],
  },
});
