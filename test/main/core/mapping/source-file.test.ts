import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { sourceAt } from '../../../../src/main/core/files/files.ts';
import { settleSource } from '../../../../src/main/core/mapping/source-file.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';
import { fileWith, temporaryFolder } from '../../features/upload/support/files.ts';
import { createSink } from '../../features/upload/support/sink.ts';
import { inProcessThread, planOf, readingWith } from '../../features/upload/support/uploads.ts';

const servers = useServers();
const services = useServices();
const content = 'timestamp,asset_id,n\n1700000000000,7,1\n';

async function settled(place: 'path' | 'spooled', dryRun: boolean) {
  const { url } = await servers.raw(createSink().server);
  const path = await fileWith(content);
  const folder = await temporaryFolder();
  const { path: found } = await settleSource(await planOf(path, services(url), { dryRun }, place), folder);
  return { path, own: join(folder, 'source'), found };
}

describe('a job’s source file', () => {
  it('stays in the user’s folder', async () => {
    const { path, found } = await settled('path', false);
    expect(found).toBe(path);
  });

  it('moves with the job when it is Wellbench’s copy of an uploaded file', async () => {
    const { path, own, found } = await settled('spooled', false);
    expect(found).toBe(own);
    expect(await readFile(own, 'utf8')).toBe(content);
    await expect(access(path)).rejects.toThrow('ENOENT');
  });

  it('is kept for the upload after a dry run', async () => {
    const { path, found } = await settled('spooled', true);
    expect(found).toBe(path);
    expect(await readFile(path, 'utf8')).toBe(content);
  });
});

it('a file is read once more only for the wells of a column whose name doesn’t say that it has them', async () => {
  const { reader, scans } = readingWith(inProcessThread);
  const passes = vi.spyOn(reader, 'scanned');
  const source = sourceAt(await fileWith('timestamp,Well,Pad,n\n1700000000000,A-1,West,1\n'));
  const read = async (...distinct: string[]) => scans.read(source, {}, { nulls: [], distinct }, undefined);
  await read();
  await read('Well');
  await read('no column');
  expect(passes).toHaveBeenCalledTimes(1);
  expect((await read('Well', 'Pad')).scan.distinct).toHaveProperty('Pad');
  await read();
  expect(passes).toHaveBeenCalledTimes(2);
});
