import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/e2e/**'],
    pool: 'forks',
    // No test touches the keychain of whoever runs it; those of the keychain bring one of their own.
    env: { WELLBENCH_KEYCHAIN: 'off' },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
