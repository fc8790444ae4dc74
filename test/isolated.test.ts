import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const replacing = ['vi', 'mock('].join('.');

// In a worker that other tests share, a module that one of them has loaded isn't replaced, and the test proves nothing.
it('tests that replace modules are isolated', () => {
  const config = readFileSync(join(root, 'vitest.config.ts'), 'utf8');
  const isolated = /const isolated = \[([^\]]*)\]/.exec(config)?.[1] ?? '';
  const files = globSync('test/**/*.test.{ts,tsx}', { cwd: root }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes(replacing),
  );
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !isolated.includes(`'${file.replaceAll('\\', '/')}'`))).toEqual([]);
});
