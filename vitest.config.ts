import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const ofWindow = ['test/renderer/**/*.test.{ts,tsx}', 'test/shared/**/*.test.ts'];

export default defineConfig({
  test: {
    exclude: ['test/e2e/**'],
    pool: 'forks',
    // Every core: left alone, the runner spares one, which of two is half of the time.
    maxWorkers: availableParallelism(),
    // V8's bookkeeping of WebAssembly code pages can fail where threads start and end quickly (nodejs/node#64500); the
    // type stripper of sources run as they are is WebAssembly.
    execArgv: ['--no-memory-protection-keys'],
    // No test touches the keychain of whoever runs it; those of the keychain bring one of their own.
    env: {
      WELLBENCH_KEYCHAIN: 'off',
      // Compiled once for all threads and processes that tests start: most of a start is compiling.
      NODE_COMPILE_CACHE: join(tmpdir(), 'wellbench-test-code'),
    },
    // A guard against what never ends; a busy machine is slow, not wrong.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    projects: [
      // They start nothing and share nothing: loaded once for all of a worker's files they take a third of the time.
      { extends: true, test: { name: 'window', include: ofWindow, isolate: false } },
      { extends: true, test: { name: 'main', include: ['test/**/*.test.{ts,tsx}'], exclude: [...ofWindow] } },
    ],
  },
});
