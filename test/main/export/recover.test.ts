import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endCursor } from '../../../src/main/paging/cursor.ts';
import { readProgress, type ExportEntry } from '../../../src/main/export/plan.ts';
import { lastUsableCheckpoint } from '../../../src/main/export/places.ts';
import { useFolders } from '../../support/folders.ts';
import { planFor } from './support/jobs.ts';

const folder = useFolders();

const page = (
  rows: number,
  partial: number,
  spool: number,
  columns: string[] | null,
  ids = 0,
): ExportEntry => ({
  kind: 'page',
  checkpoint: { cursor: endCursor, rows, ids, marks: { partial, spool, columns } },
});

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
  const usable = await lastUsableCheckpoint(readProgress(entries), planFor(job, { format }), {
    folder: job,
    partial,
  });
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

  it('is the last one whose spool exists', async () => {
    expect(await resumed('csv', table, { partial: 35, spool: 39 })).toEqual({
      rows: 1,
      partial: 10,
      spool: 20,
      columns: ['a'],
    });
  });

  it('has no table when the file is too short', async () => {
    expect(await resumed('csv', table, { partial: 29, spool: 45 })).toEqual({
      rows: 2,
      partial: 0,
      spool: 40,
      columns: null,
    });
  });

  it('has no table when the table was abandoned later, however long the file is', async () => {
    const entries = [...table, page(3, 0, 60, null)];
    expect(await resumed('csv', entries, { partial: 90, spool: 45 })).toEqual({
      rows: 2,
      partial: 0,
      spool: 40,
      columns: null,
    });
    expect(await resumed('csv', entries, { partial: 90, spool: 60 })).toEqual({
      rows: 3,
      partial: 0,
      spool: 60,
      columns: null,
    });
  });

  it('is the last one whose file exists, without a spool', async () => {
    const lines = [page(1, 10, 0, null), page(2, 30, 0, null)];
    expect(await resumed('ndjson', lines, { partial: 29, spool: 0 })).toMatchObject({ rows: 1, partial: 10 });
    expect(await resumed('ndjson', lines, { partial: 9, spool: 0 })).toBeNull();
  });

  it('is one with all ids', async () => {
    const run = [page(1, 10, 0, null, 1), page(2, 30, 0, null, 2)];
    expect(await resumed('ndjson', run, { partial: 30, spool: 0, ids: 1 })).toMatchObject({ rows: 1 });
  });

  it('is never one from before everything was read again', async () => {
    const again: ExportEntry[] = [...table, { kind: 'gaveUp', why: 'x' }];
    expect(await resumed('csv', again, { partial: 35, spool: 45 })).toBeNull();
    expect(
      await resumed('csv', [...table, { kind: 'anew' }, page(1, 10, 20, ['b'])], { partial: 35, spool: 45 }),
    ).toMatchObject({
      rows: 1,
      columns: ['b'],
    });
  });
});
