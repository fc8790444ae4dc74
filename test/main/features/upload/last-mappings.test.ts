import { expect, it } from 'vitest';
import { createLastMappings } from '../../../../src/main/features/upload/templates.ts';
import { mapping } from '../../../../src/shared/upload/upload.ts';
import { temporaryFolder } from './support/files.ts';

const last = (header: string[], file: string, type: 'time' | 'depth' = 'time') => ({
  header,
  type,
  file,
  mapping: mapping.parse({ skip: [file] }),
});

it('the mapping of the last upload is stored per header and dataset type, across processes', async () => {
  const folder = await temporaryFolder();
  const open = () => createLastMappings(folder, () => undefined);
  const first = open();
  await first.keepLastMapping(last(['a', 'b'], 'one.csv'), {});
  await first.keepLastMapping(last(['a', 'b'], 'two.csv'), {});
  await first.keepLastMapping(last(['a', 'b'], 'deep.csv', 'depth'), {});
  const next = open();
  expect(await next.lastMapping({ header: ['a', 'b'], type: 'time' }, {})).toMatchObject({ file: 'two.csv' });
  expect(await next.lastMapping({ header: ['a', 'b'], type: 'depth' }, {})).toMatchObject({
    file: 'deep.csv',
  });
  expect(await next.lastMapping({ header: ['b', 'a'], type: 'time' }, {})).toBeNull();
});

it('the mapping of the last upload to a connection comes before those of others, the last of which is a default', async () => {
  const mappings = createLastMappings(await temporaryFolder(), () => undefined);
  const wanted = { header: ['a'], type: 'time' as const };
  const fileFor = async (connection?: string) =>
    (await mappings.lastMapping({ ...wanted, ...(connection === undefined ? {} : { connection }) }, {}))
      ?.file;
  await mappings.keepLastMapping({ ...last(['a'], 'one.csv'), connection: 'one' }, {});
  await mappings.keepLastMapping({ ...last(['a'], 'two.csv'), connection: 'two' }, {});
  expect(await Promise.all(['one', 'two', 'three', undefined].map(fileFor))).toEqual([
    'one.csv',
    'two.csv',
    'two.csv',
    'two.csv',
  ]);
  await mappings.keepLastMapping({ ...last(['a'], 'next.csv'), connection: 'one' }, {});
  expect(await Promise.all(['one', 'two'].map(fileFor))).toEqual(['next.csv', 'two.csv']);
});

it('old mappings are deleted as new ones are stored', async () => {
  const mappings = createLastMappings(await temporaryFolder(), () => undefined);
  for (let at = 0; at <= 100; at++) await mappings.keepLastMapping(last([`c${at}`], `${at}.csv`), {});
  expect(await mappings.lastMapping({ header: ['c0'], type: 'time' }, {})).toBeNull();
  expect(await mappings.lastMapping({ header: ['c1'], type: 'time' }, {})).not.toBeNull();
});
