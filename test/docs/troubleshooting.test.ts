import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { errorCodes } from '../../src/shared/errors/errors.ts';

it('every error has an entry, and every entry has an error', async () => {
  const page = await readFile(
    fileURLToPath(new URL('../../docs/troubleshooting.md', import.meta.url)),
    'utf8',
  );
  const headings = [...page.matchAll(/^### ([a-z_]+)$/gm)].map(([, code = '']) => code);
  expect(headings.toSorted()).toEqual(errorCodes.toSorted());
});
