import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifestName } from '../../../../src/main/core/write/folder/manifest.ts';
import { createFiles } from '../../../../src/main/core/files/files.ts';
import { createMirrors } from '../../../../src/main/features/export/mirrors.ts';
import { exportRequest, type ExportRequest } from '../../../../src/shared/export/export.ts';
import { useFolders } from '../../../support/folders.ts';

const folder = useFolders();
const token = 'x'.repeat(32);

async function setUp() {
  const dataFolder = await folder();
  const files = createFiles();
  const warnings: string[] = [];
  const started: ExportRequest[] = [];
  const open = () => createMirrors({ dataFolder, files, warn: (sentence) => warnings.push(sentence) });
  const { keepFolder, handlers } = open();
  const { target: _, ...request } = exportRequest.parse({
    connection: 'c',
    provider: 'demo',
    dataset: 'wits',
    query: '{ asset_id: 5001 }',
    format: 'parquet',
    partition: ['asset_id', 'day'],
    target: token,
  });
  const keep = (path: string, job = 'job-00000001') =>
    keepFolder({ path, connectionName: 'North Ridge', job, request });
  const calls = handlers(async (input) => {
    started.push(input);
    return { job: 'job-00000002' };
  });
  return { dataFolder, files, warnings, started, keep, calls };
}

const manifest = {
  wellbenchFolder: 1,
  generation: 3,
  job: 'job-00000001',
  service: 'http://127.0.0.1',
  dataset: 'demo/wits',
  request: '{}',
  partition: { assetPath: 'asset_id', timePath: 'timestamp', period: 'day' },
  columnNames: 'dotted',
  rows: 12,
  bytes: 3456,
  watermark: 1_700_000_000_000,
  columns: [],
  parts: [
    { path: 'asset_id=5001/day=2023-11-14/part-0.parquet', rows: 12, bytes: 3456, sha256: '', last: null },
  ],
};

describe('the mirrors of this computer', () => {
  it('are listed from their manifests, without their paths', async () => {
    const { keep, calls, dataFolder } = await setUp();
    const [path, empty, damaged] = ['wits', 'new', 'damaged'].map((name) => join(dataFolder, 'out', name));
    for (const each of [path, empty, damaged]) {
      await mkdir(each ?? '', { recursive: true });
      await keep(each ?? '');
    }
    writeFileSync(join(path ?? '', manifestName), JSON.stringify(manifest));
    writeFileSync(join(damaged ?? '', manifestName), '{');
    const list = await calls.list({}, {});
    expect(list).toMatchObject([
      { name: 'damaged', content: null, problem: { code: 'file_unreadable' } },
      { name: 'new', content: null, problem: null },
      {
        name: 'wits',
        connection: { id: 'c', name: 'North Ridge' },
        overlapMs: 7_200_000,
        content: { rows: 12, bytes: 3456, files: 1, last: 1_700_000_000_000, verified: null, warnings: [] },
        problem: null,
      },
    ]);
    expect(JSON.stringify(list)).not.toContain(dataFolder);
  });

  it('are updated with the request of their first run, in their folder', async () => {
    const { keep, calls, started, files, dataFolder } = await setUp();
    const path = join(dataFolder, 'wits');
    await keep(path);
    const [listed] = await calls.list({}, {});
    expect(await calls.update({ mirror: listed?.id ?? '' }, {})).toEqual({ job: 'job-00000002' });
    expect(started).toMatchObject([{ query: '{ asset_id: 5001 }', mirror: { overlapMs: 7_200_000 } }]);
    expect(files.folder(started[0]?.target ?? '').path).toBe(path);
  });

  it('are listed once for each folder, and can be removed', async () => {
    const { keep, calls, dataFolder } = await setUp();
    await keep(join(dataFolder, 'wits'));
    await keep(join(dataFolder, 'x/../wits'), 'job-00000009');
    const list = await calls.list({}, {});
    expect(list).toMatchObject([{ name: 'wits', job: 'job-00000009' }]);
    await calls.remove({ mirror: list[0]?.id ?? '' }, {});
    expect(await calls.list({}, {})).toEqual([]);
    const update = calls.update({ mirror: list[0]?.id ?? '' }, {});
    await expect(update).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
