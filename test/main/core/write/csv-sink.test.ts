import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { firstRun } from '../../../../src/main/core/reading/cursor.ts';
import { createExportCalls, ExportWriter } from '../../../../src/main/core/write/export-worker.ts';
import { useFolders } from '../../../support/folders.ts';
import { plainSpec } from '../../features/export/support/spec.ts';

const folder = useFolders();

/** Writes pages of records as CSV; returns the file before and after the final step. */
async function written(pages: string[], fields: string[] = []) {
  const place = await folder();
  const partial = join(place, 'out.csv');
  const spec = {
    folder: place,
    partial,
    name: 'out.csv',
    format: 'csv',
  } as const;
  const writer = new ExportWriter({ ...plainSpec, ...spec, fields }, null);
  for (const page of pages) {
    const at = { ...firstRun('all', 0), seen: 1 };
    writer.read({
      at,
      content: new Uint8Array(Buffer.from(page)),
      origin: { overlaps: false, endsBelow: 0 },
    });
    writer.write();
  }
  const before = readFileSync(partial, 'utf8');
  let steps = 1;
  while (!writer.finishStep()) steps += 1;
  writer.close();
  return { before, after: readFileSync(partial, 'utf8'), steps };
}

describe('a table whose columns are known only at the end', () => {
  it('is written immediately while no record adds a column', async () => {
    const { before, after, steps } = await written(['[{"_id":"1","a":1}]', '[{"_id":"2"},{"a":null}]']);
    expect(before).toBe('_id,a\r\n1,1\r\n2,\r\n,\r\n');
    expect([after, steps]).toEqual([before, 1]);
  });

  it('is written again at the end when one does', async () => {
    const { before, after } = await written([
      '[{"_id":"1","data":{"a":1}}]',
      '[{"asset_id":2,"data":{"b":3}}]',
      '[{}]',
    ]);
    expect(before).toBe('');
    expect(after).toBe('_id,asset_id,data.a,data.b\r\n1,,1,\r\n,2,,3\r\n,,,\r\n');
  });

  it('is written immediately with the requested fields, even before records have them', async () => {
    const { before, after } = await written(['[{"_id":"1"}]', '[{"a":{"b":1},"_id":"2"}]'], ['_id', 'a.b']);
    expect(before).toBe('_id,a.b\r\n1,\r\n2,1\r\n');
    expect(after).toBe(before);
  });

  it('is written again when a requested field contains objects', async () => {
    const { before, after } = await written(
      ['[{"_id":"1","a":null}]', '[{"a":{"b":1,"c":2}}]'],
      ['_id', 'a'],
    );
    expect(before).toBe('');
    expect(after).toBe('_id,a.b,a.c\r\n1,,\r\n,1,2\r\n');
  });
});

describe('the thread of an export', () => {
  it('writes nothing before it is open', () => {
    expect(() => createExportCalls().write()).toThrow();
  });

  it('finishes no table that the engine writes', async () => {
    const target = await folder();
    const partial = join(target, 'out.parquet.partial');
    const spec = { ...plainSpec, folder: target, partial, name: 'out.parquet', format: 'parquet' } as const;
    const writer = new ExportWriter(spec, null);
    expect(() => writer.finishStep()).toThrow();
    writer.close();
  });
});
