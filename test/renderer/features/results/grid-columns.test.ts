import { describe, expect, it } from 'vitest';
import {
  cellBlock,
  type CellBlock,
  exportedFields,
  gridColumns,
  pinnedColumns,
  rowsOfResult,
} from '../../../../src/renderer/features/results/grid-columns.ts';
import { createPages, createMemory } from '../../../../src/renderer/features/records/pages.ts';
import {
  unitChanges,
  withoutAssetIds,
  withWellNames,
} from '../../../../src/renderer/features/records/shown-cells.ts';
import { statementNames } from '../../../../src/shared/channels/plain-names.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { JsonValue } from '../../../../src/shared/json.ts';
import type { UnitSystem } from '../../../../src/shared/channels/unit-systems.ts';
import { plainView, type GridView } from '../../../../src/shared/tabs/tabs.ts';
import { headerLine } from '../../../../src/renderer/ui/grid/columns.ts';
import type { DataColumn, DataColumnOrGroup, RowRange } from '../../../../src/renderer/ui/grid/index.ts';
import type { Records } from '../../../../src/renderer/features/records/records.ts';
import type { Slice } from '../../../../src/renderer/features/records/table.ts';
import { words } from '../../../../src/renderer/words/words.ts';

const units = new Map([['data.rop', 'ft/h']]);
const { signal } = new AbortController();
const emptyShape = { knownRows: 4, isComplete: true, held: 4, gaps: 0, bytes: 0 };

function columnsOf(
  records: readonly JsonValue[],
  error?: AppError,
  view: Partial<GridView> = {},
  zone: string | null = 'UTC',
  system: UnitSystem | 'stored' = 'stored',
  pinned: readonly string[] = [],
) {
  const pages = createPages({ memory: createMemory(1e9) });
  pages.add(0, records, 1);
  const first = cellBlock(pages.slice({ from: 0, to: records.length }));
  const block = error ? { ...first, error } : first;
  const columns = gridColumns({
    heads: withWellNames(pages.columns()),
    first,
    view: { ...plainView, ...view },
    pinned,
    zone,
    names: statementNames,
    wellNames: new Map([['5001', 'Ridge 1']]),
    units,
    changes: unitChanges(units, system, view.units),
    hasSystem: system !== 'stored',
    sorts: new Map([['timestamp', 'descending']]),
  });
  return inBlock(columns, block);
}

/** The columns with the cells of a block. */
const inBlock = (columns: readonly DataColumnOrGroup<CellBlock>[], block: CellBlock): DataColumnOrGroup[] =>
  columns.map((column) => {
    if ('children' in column) return { ...column, children: inBlock(column.children, block) };
    const { text, tone, cellTip, sheetValue, ...others } = column;
    return {
      ...others,
      text: (at) => text(at, block),
      tone: (at) => tone(at, block),
      cellTip: (at) => cellTip(at, block),
      ...(sheetValue ? { sheetValue: (at) => sheetValue(at, block) } : {}),
    };
  });

const flat = <Block>(columns: readonly DataColumnOrGroup<Block>[]): DataColumn<Block>[] =>
  columns.flatMap((column) => ('children' in column ? flat(column.children) : [column]));

describe('gridColumns', () => {
  const records = [
    { timestamp: 1_700_000_000_000, data: { rop: 142.7, state: 'Rotary Drilling' } },
    { timestamp: 1_700_000_001_000, data: { rop: null } },
  ];

  it('have units, the zone of times, and the sort, and no header over all measurements', () => {
    expect(columnsOf(records).map(headerLine)).toEqual(['timestamp ↓ (UTC)', 'rop (ft/h)', 'state']);
  });

  it('are grouped where a name says more, or occurs twice', () => {
    const groups = (record: JsonValue) =>
      columnsOf([record]).map((column) =>
        'children' in column
          ? [column.header, ...column.children.map(({ header }) => header)]
          : column.header,
      );
    expect(groups({ data: { rop: 1, tool: { temperature: 2 } } })).toEqual(['rop', ['tool', 'temperature']]);
    expect(groups({ version: 1, data: { version: 2, rop: 3 } })).toEqual([
      ['data', 'version', 'rop'],
      'version',
    ]);
  });

  it('returns the values for spreadsheets: typed times, all digits, and what a list shows', () => {
    const columns = flat(
      columnsOf([{ timestamp: 1_700_000_000_000, data: { rop: 10.5, list: [1, 2] }, asset_id: 5001 }]),
    );
    expect(Object.fromEntries(columns.map(({ id, sheetValue }) => [id, sheetValue?.(0)]))).toEqual({
      timestamp: { time: '2023-11-14 22:13:20' },
      asset_id: 5001,
      well_name: 'Ridge 1',
      'data.rop': 10.5,
      'data.list': words.results.items(2),
    });
  });

  it('returns the text, tone, and tooltip of each row', () => {
    const [time, rop, state] = flat(columnsOf(records));
    if (!time || !rop || !state) throw new Error('not the expected columns');
    expect(time.text(1)).toBe('2023-11-14 22:13:21');
    expect([rop.align, state.align]).toEqual(['end', 'start']);
    expect([rop.tip, rop.text(0), rop.text(1), rop.tone(1)]).toEqual(['data.rop', '142.7', 'null', 'null']);
    expect([state.text(1), state.tone(1)]).toEqual(['', 'absent']);
  });

  it('has the name of each well next to its asset id; of an unknown well the id', () => {
    const [id, well] = columnsOf([{ asset_id: 5001 }, { asset_id: 7 }]);
    if (!id || !well || 'children' in id || 'children' in well) throw new Error('not the expected columns');
    expect([id.header, well.header]).toEqual(['asset_id', words.results.well]);
    expect([well.text(0), well.text(1)]).toEqual(['Ridge 1', '7']);
    expect(well.cellTip(1)).toBe(words.results.unknownWell);
  });

  it('describes rows that could not be loaded', () => {
    const [failed] = flat(columnsOf([{ a: 1 }], new AppError('internal', { problem: 'x' })));
    expect([failed?.text(0), failed?.tone(0)]).toEqual(['⚠', 'failed']);
    expect(failed?.cellTip(0)).toMatch(/^Couldn’t load this row\. ./);
  });

  it('are in the user’s order', () => {
    const left = flat(
      columnsOf(
        records,
        undefined,
        {
          order: ['data.state', 'timestamp'],
          hidden: ['timestamp'],
          widths: { 'data.rop': 99 },
        },
        null,
        'stored',
        ['data.rop'],
      ),
    );
    expect(left.map(({ id }) => id)).toEqual(['data.state', 'data.rop', 'timestamp']);
    expect(left.map(({ hidden }) => hidden)).toEqual([false, false, true]);
    expect(left.map(({ pinned }) => pinned)).toEqual([false, true, false]);
    expect(left[1]?.width).toBe(99);
    expect([left[2]?.details, left[2]?.text(0)]).toEqual([['ms'], '1700000000000']);
  });

  it('gives each column a unique id, even for similar names', () => {
    const alike = columnsOf([{ 'a.b': 1, a: { b: 2 } }]);
    expect(
      alike.map((column) => ('children' in column ? column.children.map(({ id }) => id) : column.id)),
    ).toEqual([String.raw`a\.b`, ['a.b']]);
  });

  describe('in another system of units', () => {
    const measured = [{ data: { rop: 100, odd: 1.5 } }, { data: { rop: -999.25 } }];
    const dataOf = (...args: Parameters<typeof columnsOf>) => flat(columnsOf(...args));
    const line = (column: DataColumn | undefined) => column && headerLine(column);

    it('shows converted numbers, the unit in the header, and the stored value in the tip', () => {
      const [rop, odd] = dataOf(measured, undefined, {}, 'UTC', 'metric');
      expect([line(rop), rop?.text(0), rop?.cellTip(0)]).toEqual([
        'rop (m/h)',
        '30.48',
        words.results.storedTip('100', 'ft/h'),
      ]);
      expect([rop?.text(1), rop?.tone(1)]).toEqual(['-999.25', 'sentinel']);
      // Its unit is unknown, so it is labeled as stored.
      expect([line(odd), odd?.text(0)]).toEqual([`odd (${words.results.storedUnit})`, '1.5']);
    });

    it('labels the numbers of computed rows as stored, because their units are unknown', () => {
      const heads = [{ path: ['data_rop'], kind: 'number', characters: 3 }] as const;
      const first = { cell: () => 1.5 };
      const headOf = (isComputed: boolean) =>
        gridColumns({ heads, first, zone: 'UTC', names: statementNames, hasSystem: true, isComputed }).map(
          headerLine,
        );
      expect(headOf(true)).toEqual([`data_rop (${words.results.storedUnit})`]);
      expect(headOf(false)).toEqual(['data_rop']);
    });

    it('shows a column in a unit of its own', () => {
      const [rop, odd] = dataOf(measured, undefined, { units: { 'data.rop': 'ft/min' } });
      expect([line(rop), rop?.text(0), line(odd)]).toEqual(['rop (ft/min)', '1.6667', 'odd']);
      const [stored] = dataOf(measured, undefined, { units: { 'data.rop': 'ft/h' } }, 'UTC', 'metric');
      expect([line(stored), stored?.text(0)]).toEqual(['rop (ft/h)', '100']);
    });
  });

  it('have as many decimals as the first ones, without a digit less, and separators of thousands', () => {
    const [rop] = flat(columnsOf([{ data: { rop: 84 } }, { data: { rop: 91.7 } }, { data: { rop: 3.25 } }]));
    const texts = [0, 1, 2].map((row) => rop?.text(row) ?? '');
    expect(texts).toEqual(['84.00', '91.70', '3.25']);
    const cells = (...values: (number | bigint)[]) => {
      const [column] = flat(columnsOf(values.map((value) => ({ data: { rop: value } }))));
      return values.map((_, row) => column?.text(row));
    };
    expect(cells(13_048.7, 32)).toEqual(['13,048.7', '32.0']);
    // Those of a calculation as many as the greatest one has room for; a small one says something.
    expect(cells(84, 100.713333333, 0.00012345678)).toEqual(['84.00', '100.71', '0.000123']);
    expect(cells(12.5, -999.25)).toEqual(['12.5', '-999.25']);
    expect(cells(5)).toEqual(['5']);
    // After whole numbers, and after null values alone, a number keeps its own digits.
    const whole = Array.from({ length: 30 }, () => 10);
    expect(cells(...whole, 10.44893, 45.6789).slice(29)).toEqual(['10', '10.449', '45.6789']);
    expect(cells(...whole, 0.00001234).at(-1)).toBe('0.0000123');
    const nulls = Array.from({ length: 30 }, () => -999.25);
    expect(cells(...nulls, 1834.5999755859375, 12_345.678901).slice(30)).toEqual(['1,834.6', '12,345.7']);
    const heads = [{ path: ['mean'], kind: 'number', characters: 7 }] as const;
    const first = { cell: (_: string, at: number) => (at < 30 ? null : 5.25) };
    const computed = new Map([['mean', { unitPath: null, isRounded: true }]]);
    const [mean] = flat(gridColumns({ heads, first, zone: 'UTC', names: statementNames, computed }));
    expect(mean?.text(30, first)).toBe('5.2500');
  });

  it('of whole numbers have separators only if they have a unit: others may identify something', () => {
    const [rop, run] = flat(columnsOf([{ data: { rop: 12_000, run_id: 12_000 } }]));
    expect([rop?.text(0), run?.text(0)]).toEqual(['12,000', '12000']);
  });

  it('are written in the style of the settings', () => {
    const heads = [{ path: ['data', 'rop'], kind: 'number', characters: 7 }] as const;
    const first = { cell: () => 13_048.5 };
    const [rop] = flat(gridColumns({ heads, first, zone: 'UTC', names: statementNames, numbers: 'plain' }));
    expect(rop?.text(0, first)).toBe('13048.5');
  });

  it('show the names of wells, and the asset IDs of unknown ones', () => {
    const named = withWellNames([{ path: ['asset_id'], kind: 'integer', characters: 4 }]);
    const first = { cell: (_: string, at: number) => [5001, 7][at] };
    const shown = (heads: typeof named) =>
      flat(
        gridColumns({
          heads,
          first,
          zone: 'UTC',
          names: statementNames,
          wellNames: new Map([['5001', 'Ridge 1']]),
        }),
      ).map((column) => [column.id, column.text(0, first), column.text(1, first)]);
    const wells = ['well_name', 'Ridge 1', '7'];
    expect(shown(withoutAssetIds(named))).toEqual([wells]);
    expect(shown(named)).toEqual([['asset_id', '5001', '7'], wells]);
  });
});

describe('columns of logs', () => {
  it('have their names, by well, with the ids in tooltips, in copies, and where no name is known', () => {
    const heads = [
      { path: ['asset_id'], kind: 'integer', characters: 4 },
      { path: ['log_identifier'], kind: 'text', characters: 12 },
    ] as const;
    const wells = [5001, 5002, 5001];
    const logs = ['0d3c143d8cd1', '0d3c143d8cd1', 'run 1'];
    const first = { cell: (id: string, at: number) => (id === 'asset_id' ? wells : logs)[at] };
    const logNames = new Map([['5001', new Map([['0d3c143d8cd1', 'log 2, 1,200–3,400 ft']])]]);
    const shown = (names: typeof logNames | undefined) => {
      const options = { heads, first, zone: 'UTC', names: statementNames, logNames: names };
      const column = flat(gridColumns(options)).find(({ id }) => id === 'log_identifier');
      if (!column) throw new Error('there is no column of logs');
      const textOf = (at: number) => column.text(at, first);
      return {
        texts: [0, 1, 2].map(textOf),
        tip: column.cellTip?.(0, first),
        copy: column.sheetValue?.(0, first),
      };
    };
    const [tip, copy] = ['0d3c143d8cd1', '0d3c143d8cd1'];
    expect(shown(logNames)).toEqual({ texts: ['log 2, 1,200–3,400 ft', ...logs.slice(1)], tip, copy });
    expect(shown(undefined)).toEqual({ texts: logs, tip, copy });
  });
});

describe('pinnedColumns', () => {
  const heads = withWellNames(
    [
      ['timestamp', 'time'] as const,
      ['asset_id', 'integer'] as const,
      ['measured_depth', 'number'] as const,
    ].map(([name, kind]) => ({ path: [name], kind, characters: 5 })),
  );

  it('are the first time or depth, and the well, where they leave room', () => {
    expect(pinnedColumns(heads, plainView, true)).toEqual(['timestamp', 'well_name']);
    expect(pinnedColumns(heads.slice(1), plainView, true)).toEqual(['measured_depth', 'well_name']);
    expect(pinnedColumns(heads, plainView, false)).toEqual([]);
  });

  it('are those that the user pinned, also if that is none', () => {
    expect(pinnedColumns(heads, { pinned: ['asset_id'] }, false)).toEqual(['asset_id']);
    expect(pinnedColumns(heads, { pinned: [] }, true)).toEqual([]);
  });
});

describe('rowsOfResult', () => {
  const slice = (from: number, names: readonly string[]): Slice => ({
    from,
    rows: 2,
    columns: names.map((name) => ({ path: [name], kind: 'integer', characters: 2, cells: [from, from + 1] })),
  });
  const recordsOf = (names: readonly string[], rows: Records['rows']) => ({
    shape: () => ({ ...emptyShape, rows: 4, columns: slice(0, names).columns }),
    rows,
  });

  it('has the first rows at once, unless columns were calculated since, and loads the others', async () => {
    const rows = async ({ from }: RowRange) => slice(from, ['a']);
    const { loadedRow, load } = rowsOfResult(recordsOf(['a'], rows), slice(0, ['a']));
    const row = loadedRow(1);
    expect([row?.block.cell('a', row.at), loadedRow(2)]).toEqual([1, null]);
    expect((await load?.({ from: 2, to: 4 }, signal))?.cell('a', 1)).toBe(3);
    expect(rowsOfResult(recordsOf(['a', 'b'], rows), slice(0, ['a'])).loadedRow(0)).toBeNull();
  });

  it('has a block of rows that could not be loaded, which says why', async () => {
    const rows = () => Promise.reject(new AppError('internal', { problem: 'x' }));
    const block = await rowsOfResult(recordsOf(['a'], rows), slice(0, ['a'])).load?.(
      { from: 2, to: 4 },
      signal,
    );
    expect([block?.error?.code, block?.cell('a', 0)]).toEqual(['internal', undefined]);
  });
});

it('an export of the visible columns has fields of other records, too, and no hidden ones', () => {
  const pages = createPages({ memory: createMemory(1e9) });
  pages.add(0, [{ asset_id: 5001, data: { rop: 1, wob: 2 } }], 1);
  const heads = withoutAssetIds(withWellNames(pages.columns()));
  const view = { ...plainView, hidden: ['data.wob', 'data.torque'] };
  const others = ['asset_id', 'data.rop', 'data.wob', 'data.torque', 'data.gamma_ray'];
  expect(exportedFields(heads, view, others).toSorted()).toEqual(['asset_id', 'data.gamma_ray', 'data.rop']);
  expect(exportedFields(heads, view, []).toSorted()).toEqual(['asset_id', 'data.rop']);
});
