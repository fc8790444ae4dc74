import { describe, expect, it } from 'vitest';
import { findText, walkNamed } from '../../../../src/renderer/features/records/find.ts';
import { pathId } from '../../../../src/shared/column-paths.ts';
import { createPages, createMemory } from '../../../../src/renderer/features/records/pages.ts';
import { createRowWriter } from '../../../../src/renderer/features/records/row-writer.ts';
import {
  assetPathOf,
  withoutAssetIds,
  withWellNames,
} from '../../../../src/renderer/features/records/shown-cells.ts';
import type { JsonValue } from '../../../../src/shared/json.ts';

const names = new Map([['5001', 'Ridge 1']]);

function pagesOf(...records: JsonValue[]) {
  const pages = createPages({ memory: createMemory(1e9) });
  pages.add(0, records, 1);
  return { pages, heads: withWellNames(pages.columns()) };
}

describe('well names in records', () => {
  it.each([
    [{ asset_id: 5001, timestamp: 1 }, ['timestamp', 'asset_id', 'well_name']],
    [{ metadata: { asset_id: 5001, x: 1 } }, ['metadata.asset_id', 'metadata.well_name', 'metadata.x']],
    // A field of the record itself is unchanged.
    [{ asset_id: 5001, well_name: 'own' }, ['asset_id', 'well_name']],
    [{ data: { asset_id: 5001 } }, ['data.asset_id']],
  ])('are a column next to the asset ids of %j', (record, expected) => {
    expect(pagesOf(record).heads.map(({ path }) => pathId(path))).toEqual(expected);
  });

  it('are looked up by their asset ids; an unknown well is shown by its id', () => {
    const { pages, heads } = pagesOf({ asset_id: 5001 }, { asset_id: '5001' }, { asset_id: 7 }, { a: 1 });
    const well = heads.filter(({ kind }) => kind === 'well');
    expect(well.map(assetPathOf)).toEqual([['asset_id']]);
    const found: unknown[] = [];
    walkNamed(pages, well, names, null, (_row, [cell]) => found.push(cell));
    expect(found).toEqual(['Ridge 1', 'Ridge 1', 7, undefined]);
  });

  it('are written as they are shown; JSON has only names', () => {
    const { pages, heads } = pagesOf({ asset_id: 5001 }, { asset_id: 7 });
    const well = heads.filter(({ kind }) => kind === 'well');
    const written = (format: 'csv' | 'ndjson') => {
      const writer = createRowWriter(well, format, 'UTC');
      walkNamed(pages, well, names, null, (_row, cells) => writer.add(cells));
      return writer.text();
    };
    expect(written('csv')).toBe('well_name\nRidge 1\n7\n');
    expect(written('ndjson')).toBe('{"well_name":"Ridge 1"}\n{}\n');
  });

  it('are found like other cells', async () => {
    const { pages, heads } = pagesOf({ asset_id: 7 }, { asset_id: 5001 });
    const { rows } = await findText(pages, heads, {
      text: 'ridge',
      zone: null,
      wellNames: names,
      changes: {},
    });
    expect([...rows]).toEqual([1]);
    const unlisted = { text: '7', zone: null, wellNames: names, changes: {} };
    const shown = await findText(pages, withoutAssetIds(heads), unlisted);
    expect([[...shown.rows], shown.hits]).toEqual([[0], 1]);
  });
});
