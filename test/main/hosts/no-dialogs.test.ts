import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFiles } from '../../../src/main/core/files/files.ts';
import { chooseInDataFolder } from '../../../src/main/hosts/no-dialogs.ts';

const data = '/home/me/wellbench';

it.each([
  ['wits', 'wits'],
  ['../../.ssh', '.ssh'],
  ['/etc/cron.d', 'cron.d'],
  ['C:\\Windows', 'Windows'],
  ['..', 'file'],
  ['', 'file'],
])('keeps a folder that a page calls %j within the data folder', async (name, kept) => {
  const files = createFiles();
  const granted = await chooseInDataFolder(data)(files).chooseFolder({ name }, {});
  expect(granted).toMatchObject({ name: kept });
  expect(JSON.stringify(granted)).not.toContain(data);
  expect(files.folder(granted?.token ?? '').path).toBe(join(data, 'mirrors', kept));
});
