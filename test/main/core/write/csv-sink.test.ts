import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createExportCalls, ExportWriter } from '../../../../src/main/core/write/export-worker.ts';
import { useFolders } from '../../../support/folders.ts';
import { plainSpec } from '../../features/export/support/spec.ts';
import { writePages } from '../../features/export/support/written.ts';

const folder = useFolders();

/** Writes pages of records as CSV. */
async function written(pages: string[], fields: string[] = []) {
  const { bytes } = await writePages(await folder(), pages, { format: 'csv', fields });
  return bytes.toString();
}

describe('a table whose columns are known only at the end', () => {
  it('has the columns of all records', async () => {
    expect(await written(['[{"_id":"1","a":1}]', '[{"_id":"2"},{"a":null}]'])).toBe(
      '_id,a\r\n1,1\r\n2,\r\n,\r\n',
    );
    const pages = ['[{"_id":"1","data":{"a":1}}]', '[{"asset_id":2,"data":{"b":3}}]', '[{}]'];
    expect(await written(pages)).toBe('_id,asset_id,data.a,data.b\r\n1,,1,\r\n,2,,3\r\n,,,\r\n');
  });

  it('has the requested fields', async () => {
    const pages = ['[{"_id":"1"}]', '[{"a":{"b":1},"_id":"2"}]'];
    expect(await written(pages, ['_id', 'a.b'])).toBe('_id,a.b\r\n1,\r\n2,1\r\n');
  });

  it('has the parts of a requested field that contains objects', async () => {
    const pages = ['[{"_id":"1","a":null}]', '[{"a":{"b":1,"c":2}}]'];
    expect(await written(pages, ['_id', 'a'])).toBe('_id,a.b,a.c\r\n1,,\r\n,1,2\r\n');
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
