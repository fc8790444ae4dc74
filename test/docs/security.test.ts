import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the page on security', () => {
  it('names files that exist, and a test in every row', async () => {
    const page = await readFile(join(root, 'docs', 'security.md'), 'utf8');
    const rows = page.split('\n').filter((line) => line.startsWith('|') && !/^\| (-|point)/.test(line));
    expect(rows.length).toBeGreaterThan(30);
    for (const row of rows) {
      const named = [...row.matchAll(/`([^`\s]+\.(?:ts|mjs|json))`/g)].map(([, path = '']) => path);
      expect(
        named.filter((path) => !existsSync(join(root, path))),
        row,
      ).toEqual([]);
      expect(
        named.some((path) => path.startsWith('test/')),
        row,
      ).toBe(true);
    }
  });

  it('is right that our code opens nothing outside', async () => {
    for (const name of await readdir(join(root, 'src'), { recursive: true })) {
      if (!/\.tsx?$/.test(name)) continue;
      const text = await readFile(join(root, 'src', name), 'utf8');
      expect(/openExternal|\bshell\b[^;]*from 'electron'/.test(text), name).toBe(false);
    }
  });
});
