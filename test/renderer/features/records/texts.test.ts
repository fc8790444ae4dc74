import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRowWriter } from '../../../../src/renderer/features/records/row-writer.ts';
import { findText, type FindResult } from '../../../../src/renderer/features/records/find.ts';
import { createFigures } from '../../../../src/renderer/features/records/result.ts';
import { createPages, createMemory } from '../../../../src/renderer/features/records/pages.ts';
import {
  cellConverter,
  idsWithoutNumbers,
  unitChanges,
} from '../../../../src/renderer/features/records/shown-cells.ts';
import { createSummary } from '../../../../src/renderer/features/records/figures.ts';
import type { ColumnKind } from '../../../../src/renderer/features/records/table.ts';
import { pathId } from '../../../../src/shared/column-paths.ts';
import { parseJson } from '../../../../src/shared/json.ts';

const text = `[
  {"timestamp": 1700000000000, "note": "a, \\"b\\"\\tc", "big": 9007199254740993, "data": {"rop": null}},
  {"timestamp": 1700000001500, "note": "x|y", "data": {"rop": -999.25}},
  {"timestamp": 1700000003000, "data": {"rop": 2.5, "list": [1, 2]}}
]`;
const pages = createPages({ memory: createMemory(1e9) });
const records = parseJson(text);
pages.add(0, Array.isArray(records) ? records : [], 100);

function textOf(
  format: Parameters<typeof createRowWriter>[1],
  rows: number[] | null,
  ...names: string[]
): string {
  const heads = names.map((name) => {
    const head = pages.columns().find(({ path }) => path.join('.') === name);
    if (!head) throw new Error(name);
    return head;
  });
  const copied = createRowWriter(heads, format, 'UTC');
  const ranges = rows?.map((row) => ({ from: row, to: row + 1 })) ?? null;
  pages.walk(names, ranges, (_row, cells) => copied.add(cells));
  return copied.text();
}

describe('rows as text', () => {
  it('are quoted when spreadsheets need it, with times in the zone, and null, missing, and null values such as -999.25 blank', () => {
    expect(textOf('tsv', null, 'timestamp', 'note', 'big')).toBe(
      'timestamp\tnote\tbig\n' +
        '2023-11-14 22:13:20\t"a, ""b""\tc"\t9007199254740993\n' +
        '2023-11-14 22:13:21.500\tx|y\t\n' +
        '2023-11-14 22:13:23\t\t\n',
    );
    expect(textOf('csv', [1, 2], 'note', 'data.rop')).toBe('note,data.rop\nx|y,\n,2.5\n');
  });

  it('have a heading for a name with a dot beside that of a nested field', () => {
    const held = createPages({ memory: createMemory(1e9) });
    held.add(0, [{ 'a.b': 1, a: { b: 2 }, 'x.y': 3, constructor: 4 }], 1);
    const heads = held.columns();
    const copied = createRowWriter(heads, 'csv', 'UTC', { headNotes: { 'a.b': 'm' } });
    held.walk(
      heads.map(({ path }) => pathId(path)),
      null,
      (_row, cells) => copied.add(cells),
    );
    expect(copied.text()).toBe(`${String.raw`a\.b`},a.b (m),x.y,constructor\n1,2,3,4\n`);
  });

  it('have the types of their cells for spreadsheets, beside the text', () => {
    const head = (name: string, kind: ColumnKind) => ({ path: name.split('.'), kind, characters: 1 });
    const heads = [
      head('timestamp', 'time'),
      head('note', 'text'),
      head('big', 'integer'),
      head('data.rop', 'number'),
      head('data.list', 'nested'),
      head('code', 'text'),
      head('on', 'boolean'),
    ];
    const copied = createRowWriter(heads, 'tsv', 'UTC', {
      changes: { 'data.rop': { from: 'ft/h', to: 'm/h' } },
      headNotes: { 'data.rop': 'm/h' },
    });
    copied.add([1_700_000_000_000, 'a', 9_007_199_254_740_993n, 10, [1, '</td>'], '0012', true]);
    copied.add([1_700_000_001_500, null, 1, -999.25, undefined, '=1+1', false]);
    const html = copied.html() ?? '';
    const cells = [...html.matchAll(/<td([^>]*)>(.*?)<\/td>/g)].map(([, facts = '', text = '']) => [
      /class="(.*?)"/.exec(facts)?.[1] ?? '',
      text,
    ]);
    expect(cells.slice(0, 7).map(([, text]) => text)).toContain('data.rop (m/h)');
    expect(cells.slice(7)).toEqual([
      ['time', '2023-11-14 22:13:20'],
      ['text', 'a'],
      ['text', '9007199254740993'],
      ['', '3.048'],
      ['text', '[1,&quot;&lt;/td&gt;&quot;]'],
      ['text', '0012'],
      ['', 'TRUE'],
      ['time-ms', '2023-11-14 22:13:21.500'],
      ['', ''],
      ['', '1'],
      ['', ''],
      ['', ''],
      ['text', '=1+1'],
      ['', 'FALSE'],
    ]);
    expect(createRowWriter(heads, 'csv', 'UTC').html()).toBeNull();
  });

  it('are JSON like the records, one per line on request', () => {
    expect(JSON.parse(textOf('json', [2], 'data.rop', 'data.list'))).toEqual({
      data: { rop: 2.5, list: [1, 2] },
    });
    expect(textOf('ndjson', [0, 1], 'big', 'data.rop')).toBe(
      '{"big":9007199254740993,"data":{"rop":null}}\n{"data":{"rop":-999.25}}\n',
    );
  });

  it('are a Markdown table with escaped bars', () => {
    expect(textOf('markdown', [1], 'note', 'data.rop')).toBe(
      '| note | data.rop |\n| --- | --: |\n| x\\|y |  |\n',
    );
  });
});

it('a text is found in cells as they are shown, ignoring case', async () => {
  const found = (text: string) =>
    findText(pages, pages.columns(), { text, zone: 'UTC', wellNames: new Map(), changes: {} });
  const at = async (wanted: string) => {
    const { rows, columns } = await found(wanted);
    return Array.from(rows, (row, n) => `${row} ${pages.columns()[columns[n] ?? 0]?.path.join('.') ?? ''}`);
  };
  expect(await at('22:13:21')).toEqual(['1 timestamp']);
  expect(await at('NULL')).toEqual(['0 data.rop']);
  expect(await at('740993')).toEqual(['0 big']);
  expect((await found('')).hits).toBe(0);
});

it('a log is found by its name and by its id', async () => {
  const logs = createPages({ memory: createMemory(1e9) });
  logs.add(0, [{ log_identifier: '0d3c143d8cd1' }, { log_identifier: 'run 1' }], 1);
  const logNames = new Map([['5001', new Map([['0d3c143d8cd1', 'log 2, 1,200–3,400 ft']])]]);
  const rows = async (text: string) => {
    const options = { text, zone: null, wellNames: new Map(), logNames, changes: {} };
    return [...(await findText(logs, logs.columns(), options)).rows];
  };
  expect(await Promise.all(['LOG 2', '1,200', '43d8', 'run'].map(rows))).toEqual([[0], [0], [0], [1]]);
});

it('a number is found as cells show it, with separators and zeros at its end', async () => {
  const numbers = createPages({ memory: createMemory(1e9) });
  numbers.add(0, [{ depth: 13_048.7 }, { depth: 32 }, { depth: 32.7 }], 1);
  const rows = (from: typeof numbers, decimalMark: '.' | ',') => async (text: string) => {
    const options = { text, zone: null, wellNames: new Map(), changes: {}, decimalMark };
    return [...(await findText(from, from.columns(), options)).rows];
  };
  const texts = ['13,048.7', '13,048', '13,04', '3,048', '32.0', '32.7', '1,3', '1,304'];
  const rowsOf = [[0], [0], [0], [0], [1], [2], [], []];
  expect(await Promise.all(texts.map(rows(numbers, '.')))).toEqual(rowsOf);
  // In a locale with decimal commas.
  const german = ['13.048,7', '13.048', '32,0', '32,7', '048,7'];
  expect(await Promise.all(german.map(rows(numbers, ',')))).toEqual([[0], [0], [1], [2], [0]]);
  // Numbers with more digits are shown rounded.
  const long = createPages({ memory: createMemory(1e9) });
  long.add(0, [{ rop: 1234.56789 }, { rop: 1250.00001 }, { rop: 1.25 }], 1);
  expect(await Promise.all(['1,234.6', '234.6', '1234.56789'].map(rows(long, '.')))).toEqual([[0], [0], [0]]);
  expect(await Promise.all(['1.250', '1.234,6', '1,25'].map(rows(long, ',')))).toEqual([[1], [0], [2]]);
});

describe('a search of many rows', () => {
  const many = createPages({ memory: createMemory(1e9) });
  const size = 10_000;
  const options = { zone: null, wellNames: new Map(), changes: {} };
  for (let from = 0; from < 30 * size; from += size)
    many.add(from, Array.from({ length: size }, (_, at) => ({ depth: from + at, note: 'ridge' })), 1); // oxfmt-ignore

  it('reports the matches so far, before all are found', async () => {
    const parts: FindResult[] = [];
    const all = await findText(many, many.columns(), { ...options, text: 'IDG' }, (part) => parts.push(part));
    expect(all).toMatchObject({ hits: 30 * size, searched: 30 * size, isComplete: true });
    expect(parts[0]?.isComplete).toBe(false);
    expect(parts[0]?.rows[0]).toBe(0);
    expect(parts[0]?.searched).toBeLessThan(size);
  });

  it('tests numbers beyond the distinct values that it keeps', async () => {
    const { rows, hits } = await findText(many, many.columns(), { ...options, text: '29999' });
    expect([hits, rows.at(0), rows.at(-1)]).toEqual([13, 29_999, 299_999]);
  });

  it('ends when it is canceled, and lets other calls in between', async () => {
    // Each look at the clock is a slice later, however fast the machine is.
    let clock = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (clock += 1000));
    onTestFinished(() => void vi.restoreAllMocks());
    const controller = new AbortController();
    const searching = findText(many, many.columns(), { ...options, text: '7' }, undefined, controller.signal);
    setTimeout(() => controller.abort());
    await expect(searching).rejects.toThrow(/abort/);
  });
});

it('a column is summed without null values', () => {
  const summed = createSummary('number');
  for (const cell of [null, undefined, -999.25, -9999, 1, 2, 2, 7n]) summed.add(cell);
  const { numbers, ...rest } = summed.summary();
  expect(rest).toMatchObject({ records: 8, nulls: 1, absent: 1, sentinels: 2, distinct: 3 });
  expect(rest.frequent[0]).toEqual({ text: '2', count: 2 });
  expect(numbers).toMatchObject({ count: 4, min: 1, max: 7, mean: 3 });
  expect(numbers?.histogram.reduce((sum, count) => sum + count)).toBe(4);
});

it('statistics of cells include measurements, without times, ids, and null values', () => {
  const head = (name: string, kind: 'time' | 'integer' | 'number') => ({ path: [name], kind, characters: 4 });
  const counted = createFigures([
    head('timestamp', 'time'),
    head('asset_id', 'integer'),
    head('rop', 'number'),
  ]);
  counted.add([1_700_000_000_000, 5001, 2]);
  counted.add([1_700_000_001_000, 5001, -999.25]);
  counted.add([1_700_000_002_000, null, 4]);
  expect(counted.figures()).toEqual({ rows: 3, values: 8, numbers: { count: 2, sum: 6, min: 2, max: 4 } });
});

describe('columns that are shown in another unit', () => {
  const changes = unitChanges(new Map([['rop', 'ft/h'], ['temp', 'degF'], ['odd', 'furlong']]), 'metric'); // oxfmt-ignore

  it('have a known unit, and aren’t times', () => {
    expect(changes).toEqual({ rop: { from: 'ft/h', to: 'm/h' }, temp: { from: 'degF', to: 'degC' } });
    expect(unitChanges(new Map([['t', 's']]), 'si')).toEqual({});
    // Texts and lists stay in the unit of their head.
    const heads = [['rop', 'text'], ['temp', 'number'], ['gas', 'nested']] as const; // oxfmt-ignore
    const kept = idsWithoutNumbers(heads.map(([name, kind]) => ({ path: [name], kind, characters: 4 })));
    const units = new Map(heads.map(([name]) => [name, 'degF']));
    expect(Object.keys(unitChanges(units, 'metric', { rop: 'K' }, kept))).toEqual(['temp']);
    expect(unitChanges(new Map([['p', 'psi']]), 'stored', { p: 'bar' })).toEqual({
      p: { from: 'psi', to: 'bar' },
    });
  });

  it('have figures in that unit, with the offset of temperatures', () => {
    const counted = createFigures([{ path: ['temp'], kind: 'number', characters: 4 }], changes);
    for (const cell of [32, 212, -999.25]) counted.add([cell]);
    expect(counted.figures().numbers).toEqual({ count: 2, sum: 100, min: 0, max: 100 });
  });

  it('have a digit more than the stored numbers, and at least six', () => {
    const shown = cellConverter(changes, 'rop');
    expect([shown?.(10), shown?.(12_345.678), shown?.(-999.25), shown?.('x'), shown?.(10n)]).toEqual([
      3.048,
      3762.96265,
      -999.25,
      'x',
      3.048,
    ]);
  });

  it('are searched by their displayed values', async () => {
    const at = createPages({ memory: createMemory(1e9) });
    at.add(0, [{ rop: 100 }], 1);
    const hits = async (text: string) =>
      (await findText(at, at.columns(), { text, zone: null, wellNames: new Map(), changes })).hits;
    expect([await hits('30.48'), await hits('100')]).toEqual([1, 0]);
  });

  it('leave null values blank in tables, and keep them in JSON', () => {
    const head = { path: ['rop'], kind: 'number', characters: 3 } as const;
    const textIn = (format: 'csv' | 'markdown' | 'tsv' | 'json'): string => {
      const writer = createRowWriter([head], format, null);
      for (const value of [-999.25, 7]) writer.add([value]);
      return writer.text();
    };
    for (const format of ['csv', 'markdown', 'tsv'] as const) {
      expect(textIn(format)).not.toContain('-999.25');
      expect(textIn(format)).toContain('7');
    }
    expect(textIn('json')).toContain('-999.25');
  });

  it('are copied as stored, with the unit in the header', () => {
    const head = { path: ['rop'], kind: 'number', characters: 3 } as const;
    const writer = createRowWriter([head], 'tsv', null, { headNotes: { rop: 'ft/h' } });
    writer.add([100]);
    expect(writer.text()).toBe('rop (ft/h)\n100\n');
  });
});
