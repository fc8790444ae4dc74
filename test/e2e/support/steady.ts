import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test as base } from '@playwright/test';

/** Tests that aren't retried after a timeout, so that a hanging one costs one timeout. */
export const test = base.extend<{ hangsOnce: void }>({
  hangsOnce: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from this parameter
    async ({}, use, info) => {
      const mark = join(info.project.outputDir, `.hung-${info.testId}`);
      if (existsSync(mark)) throw new Error('This test timed out at its first try.');
      await use();
      if (info.status !== 'timedOut') return;
      await mkdir(info.project.outputDir, { recursive: true });
      await writeFile(mark, '');
    },
    { auto: true },
  ],
});
