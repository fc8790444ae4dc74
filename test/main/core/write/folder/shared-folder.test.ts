import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useFolders } from '../../../../support/folders.ts';
import { filesIn, folderPlanFor } from '../../../features/export/support/folders.ts';
import { runExport } from '../../../features/export/support/jobs.ts';
import { Rows } from '../../../features/export/support/rows.ts';
import { day, record, records, useRowServices } from './support.ts';

// A mirror's folder can be on a shared drive, in a synchronized folder, or put back from a backup: nothing that lies in it
// decides what is removed, and nothing outside of it is touched.

const folder = useFolders();
const service = useRowServices();
const mirror = { overlapMs: 2 * day };

async function update(path: string, rows: Rows) {
  const plan = await folderPlanFor(path, rows, { mirror });
  return runExport(await service(rows), await folder(), plan);
}

describe('a mirror in a folder that others can write to', () => {
  it('ignores a commit that lies in it, whatever it names', async () => {
    const [path, other] = [join(await folder(), 'a'), join(await folder(), 'b')];
    const rows = new Rows(records(48));
    for (const each of [path, other]) await update(each, rows);
    const before = filesIn(other);
    const removed = filesIn(path).filter((file) => file.endsWith('.parquet'));
    for (const name of ['_commit', '_staging']) {
      mkdirSync(join(path, name), { recursive: true });
      writeFileSync(join(path, name, 'changes.json'), JSON.stringify({ moved: [], removed }));
    }
    rows.add(record(60));
    const { result } = await update(path, rows);
    expect(result).toMatchObject({ rows: 49, expected: 49, warnings: [], folder: { added: 1, removed: 0 } });
    expect(filesIn(path).filter((file) => file.startsWith('_delta_log/'))).toHaveLength(4);
    expect(filesIn(other)).toEqual(before);
  });

  it('refuses a partition, or a log, that is a link to another place, and leaves that place as it is', async () => {
    for (const linked of ['asset_id=5001', 'asset_id=5002/day=2026-01-30', '_delta_log']) {
      const path = join(await folder(), 'a');
      const target = join(await folder(), 'elsewhere');
      const rows = new Rows(records(48));
      await update(path, rows);
      renameSync(join(path, linked), target);
      symlinkSync(target, join(path, linked), 'junction');
      const before = filesIn(target);
      // A well that moved loses its files: both are written again.
      for (const n of [0, 1]) rows.add(record(50 + n));
      await expect(update(path, rows)).rejects.toMatchObject({
        code: 'file_unwritable',
        details: { file: 'a', reason: expect.stringContaining(`${linked} in it is a link to another place`) },
      });
      expect(filesIn(target)).toEqual(before);
      // With its content in place, the next update goes on.
      rmSync(join(path, linked));
      renameSync(target, join(path, linked));
      expect((await update(path, rows)).result).toMatchObject({ rows: 50, expected: 50, warnings: [] });
    }
  });

  it('that has lost its log says so, and how to go on', async () => {
    const path = join(await folder(), 'a');
    const rows = new Rows(records(4));
    await update(path, rows);
    rmSync(join(path, '_delta_log'), { recursive: true });
    await expect(update(path, rows)).rejects.toMatchObject({
      code: 'invalid_input',
      message:
        'a has the files of a mirror, but its log, the folder _delta_log, is missing. Restore the log from a copy, or remove the folder to start again.',
    });
    expect(filesIn(path).filter((file) => file.endsWith('.parquet'))).toHaveLength(2);
    rmSync(path, { recursive: true });
    expect((await update(path, rows)).result).toMatchObject({ rows: 4, warnings: [] });
  });
});

describe('an export that replaces a folder', () => {
  it('refuses a partition that is a link to another place', async () => {
    const path = join(await folder(), 'wits');
    const target = join(await folder(), 'elsewhere');
    const rows = new Rows(records(4));
    await runExport(await service(rows), await folder(), await folderPlanFor(path, rows));
    renameSync(join(path, 'asset_id=5001'), target);
    symlinkSync(target, join(path, 'asset_id=5001'), 'junction');
    const before = filesIn(target).map((file) => readFileSync(join(target, file)));
    const again = async () =>
      runExport(await service(rows), await folder(), await folderPlanFor(path, rows, { replaces: true }));
    await expect(again()).rejects.toMatchObject({ code: 'file_unwritable' });
    expect(filesIn(target).map((file) => readFileSync(join(target, file)))).toEqual(before);
  });
});
