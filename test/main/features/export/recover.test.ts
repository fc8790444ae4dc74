import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endCursor } from '../../../../src/main/core/reading/cursor.ts';
import { exportEntry, readProgress, type ExportEntry } from '../../../../src/main/features/export/export.ts';
import { durableCheckpoint } from '../../../../src/main/core/write/write.ts';
import { useFolders } from '../../../support/folders.ts';

const folder = useFolders();

const page = (
  rows: number,
  partial: number,
  spool: number,
  columns: string[] | null,
  ids = 0,
): ExportEntry => ({
  kind: 'page',
  checkpoint: { cursor: endCursor, rows, ids, marks: { partial, spool, columns }, durable: true },
});

/** A page whose data is not flushed. */
const unflushedPage = (...parts: Parameters<typeof page>): ExportEntry => {
  const entry = page(...parts);
  return entry.kind === 'page' ? { ...entry, checkpoint: { ...entry.checkpoint, durable: false } } : entry;
};

/** The checkpoint that a resume continues from, with files of these lengths. */
async function resumed(
  format: 'csv' | 'ndjson',
  entries: ExportEntry[],
  sizes: { partial: number; spool: number; ids?: number },
) {
  const job = await folder();
  const partial = join(job, 'out.partial');
  writeFileSync(partial, Buffer.alloc(sizes.partial));
  writeFileSync(join(job, 'spool.ndjson'), Buffer.alloc(sizes.spool));
  writeFileSync(join(job, 'ids.bin'), Buffer.alloc((sizes.ids ?? 0) * 12));
  const usable = await durableCheckpoint(readProgress(entries), { format, folder: job, partial });
  return usable && { rows: usable.rows, ...usable.marks };
}

describe('the checkpoint that a resume continues from', () => {
  const table = [page(1, 10, 20, ['a']), page(2, 30, 40, ['a'])];

  it('is the last one', async () => {
    expect(await resumed('csv', table, { partial: 35, spool: 45 })).toEqual({
      rows: 2,
      partial: 30,
      spool: 40,
      columns: ['a'],
    });
  });

  it('is never one that is not flushed, however long the files are', async () => {
    const entries = [...table, unflushedPage(3, 50, 60, ['a']), unflushedPage(4, 70, 80, ['a'])];
    expect(await resumed('csv', entries, { partial: 90, spool: 90 })).toMatchObject({ rows: 2, partial: 30 });
    const unflushed = [unflushedPage(1, 10, 0, null), unflushedPage(2, 30, 0, null)];
    expect(await resumed('ndjson', unflushed, { partial: 90, spool: 0 })).toBeNull();
  });

  it('is not flushed in journals of earlier versions', () => {
    const { checkpoint } = page(1, 10, 20, ['a']) as Extract<ExportEntry, { kind: 'page' }>;
    const { durable: _durable, ...earlier } = checkpoint;
    expect(exportEntry.parse({ kind: 'page', checkpoint: earlier })).toMatchObject({
      checkpoint: { durable: false },
    });
  });

  it('is none when somebody shortened the spool', async () => {
    expect(await resumed('csv', table, { partial: 35, spool: 39 })).toBeNull();
  });

  it('has no table when the file is too short', async () => {
    expect(await resumed('csv', table, { partial: 29, spool: 45 })).toEqual({
      rows: 2,
      partial: 0,
      spool: 40,
      columns: null,
    });
  });

  it('is none when somebody shortened the file or the ids, without a spool', async () => {
    const lines = [page(1, 10, 0, null), page(2, 30, 0, null)];
    expect(await resumed('ndjson', lines, { partial: 30, spool: 0 })).toMatchObject({ rows: 2, partial: 30 });
    expect(await resumed('ndjson', lines, { partial: 29, spool: 0 })).toBeNull();
    const run = [page(1, 10, 0, null, 1), page(2, 30, 0, null, 2)];
    expect(await resumed('ndjson', run, { partial: 30, spool: 0, ids: 1 })).toBeNull();
  });

  it('is never one from before everything was read again', async () => {
    const again: ExportEntry[] = [...table, { kind: 'windowsRefused', reason: 'x' }];
    expect(await resumed('csv', again, { partial: 35, spool: 45 })).toBeNull();
    expect(
      await resumed('csv', [...table, { kind: 'restarted' }, page(1, 10, 20, ['b'])], {
        partial: 35,
        spool: 45,
      }),
    ).toMatchObject({
      rows: 1,
      columns: ['b'],
    });
  });
});
