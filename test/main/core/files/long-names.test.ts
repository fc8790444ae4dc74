import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeError } from '../../../../src/main/core/files/file-errors.ts';
import { useFolders } from '../../../support/folders.ts';

const folders = useFolders();

it('a name that is too long is said to be, with the limit', async () => {
  const name = `${'n'.repeat(300)}.csv`;
  const error = await writeFile(join(await folders(), name), '').catch((cause: unknown) =>
    writeError(cause, name),
  );
  expect(error).toMatchObject({
    code: 'file_unwritable',
    details: { reason: expect.stringContaining('255 bytes') },
  });
});
