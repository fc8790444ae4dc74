import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitName, logName } from '../../../../src/main/core/write/delta/snapshot.ts';
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
  const keep = (path: string, job = 'job-00000001', mirror?: ExportRequest['mirror']) =>
    keepFolder({ path, connectionName: 'North Ridge', job, request: { ...request, mirror } });
  const calls = handlers(async (input) => {
    started.push(input);
    return { job: 'job-00000002' };
  });
  return { dataFolder, files, warnings, started, keep, calls };
}

const run = { rows: 12, bytes: 3456, files: 1, last: 1_700_000_000_000, verified: true, warnings: [] };

async function writeCommit(path: string, text: string): Promise<void> {
  await mkdir(join(path, logName));
  writeFileSync(join(path, logName, commitName(0)), text);
}

describe('the mirrors of this computer', () => {
  it('are listed from their logs, without their paths', async () => {
    const { keep, calls, dataFolder } = await setUp();
    const at = (name: string) => join(dataFolder, 'out', name);
    for (const name of ['wits', 'exported', 'new', 'damaged']) {
      await mkdir(at(name), { recursive: true });
      await keep(at(name), undefined, name === 'exported' ? undefined : { overlapMs: 60_000 });
    }
    for (const [name, verified] of [
      ['wits', true],
      ['exported', false],
    ] as const)
      await writeCommit(
        at(name),
        JSON.stringify({ commitInfo: { timestamp: 0, wellbench: { ...run, verified } } }),
      );
    await mkdir(join(at('damaged'), logName));
    await mkdir(join(at('damaged'), logName, commitName(0)));
    const list = await calls.list({}, {});
    expect(list).toMatchObject([
      { name: 'damaged', content: null, problem: { code: 'file_unreadable' } },
      { name: 'new', content: null, problem: null },
      // An export isn't compared with the service, so it lacks no verification.
      { name: 'exported', overlapMs: 7_200_000, content: { rows: 12, verified: null } },
      {
        name: 'wits',
        connection: { id: 'c', name: 'North Ridge' },
        overlapMs: 60_000,
        content: { ...run, updated: '1970-01-01T00:00:00.000Z' },
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
