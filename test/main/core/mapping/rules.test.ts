import { describe, expect, it } from 'vitest';
import type { StoredUnits } from '../../../../src/shared/datasets/fields.ts';
import type { DatasetType } from '../../../../src/shared/datasets/datasets.ts';
import { isAppError } from '../../../../src/shared/errors/errors.ts';
import { mapping as mappingSchema } from '../../../../src/shared/upload/upload.ts';
import { noMapping, decideAll, requireRules } from '../../../../src/main/core/mapping/decisions.ts';
import { openWarnings } from '../../../../src/main/core/mapping/plan-upload.ts';
import { createRecordWriter, type Written } from '../../../../src/main/core/mapping/record-writer.ts';
import { inspectionOf, scanWarnings } from '../../../../src/main/core/tables/reading/warnings.ts';
import { RowReader } from '../../../../src/main/core/tables/reading/rows.ts';
import { readFrom } from '../../../../src/main/core/tables/reading/layout.ts';
import { scanText } from '../../features/upload/support/files.ts';

interface Options {
  readonly mapping?: unknown;
  readonly type?: DatasetType | null;
  readonly assets?: Record<string, Record<string, number>>;
  readonly storedUnits?: StoredUnits;
  readonly requiresWell?: boolean;
}

const plan = async (text: string, { mapping, type = 'reference', assets = {}, ...dataset }: Options = {}) => {
  const parsed = mapping === undefined ? noMapping : mappingSchema.parse(mapping);
  const scan = await scanText(text, {}, parsed.nulls ?? []);
  return {
    scan,
    ...requireRules(
      decideAll(scan, parsed, { address: { provider: 'p', dataset: 'd' }, type, assets, ...dataset }),
    ),
  };
};

/** The outcome of each row of a text: a record, or the codes of its problems. */
async function records(text: string, options: Options = {}): Promise<unknown[]> {
  const { scan, rules } = await plan(text, options);
  const write = createRecordWriter(rules, scan.layout.columns.length);
  const rows = new RowReader(
    { fileName: 'f', read: readFrom(Buffer.from(text)), placeOf: null },
    scan.layout,
    {
      byte: scan.layout.dataStart,
      line: scan.layout.dataLine,
    },
  );
  const found: unknown[] = [];
  const outcomeOf = (written: Written): unknown =>
    'record' in written
      ? JSON.parse(written.record)
      : written.problems.map(({ code, column }) => `${column ?? ''}:${code}`);
  for (let row = rows.next(); row; row = rows.next()) found.push(outcomeOf(write([row])));
  return found;
}

/** The messages of the rejection. */
async function refusal(text: string, options: Options = {}): Promise<string[]> {
  try {
    await plan(text, options);
  } catch (error) {
    if (isAppError(error, 'invalid_input')) return error.details.issues.map(({ message }) => message);
    throw error;
  }
  return [];
}

it('errors list all columns and missing fields for scripts, while the message shows the first ones', async () => {
  const columns = Array.from({ length: 60 }, (_, n) => `c${n}`);
  const text = `${columns.join(',')}\n${columns.map(() => 1).join(',')}\n`;
  const lists = async (type: 'depth' | 'reference', mapping?: unknown) => {
    try {
      await plan(text, { type, mapping });
    } catch (error) {
      if (!isAppError(error, 'invalid_input')) throw error;
      expect(error.message).toContain('“c39” and 20 more');
      return error.details.issues.map((issue) => issue.lists);
    }
    return [];
  };
  expect(await lists('depth')).toEqual([
    { columns, missing: ['asset_id', 'measured_depth', 'log_identifier'] },
  ]);
  for (const mapping of [
    { columns: { C1: { to: 'data.a' } } },
    { columns: { c1: { to: 'data.a', join: ['C2'] } } },
    {},
  ])
    expect(await lists('reference', mapping)).toEqual([{ columns }]);
});

describe('without a mapping', () => {
  it('envelope names and data.* map to themselves, and other columns go under data', async () => {
    const text =
      'asset_id,timestamp,version,data.rop,Depth (ft),metadata.company_id,stage_number,log_identifier\n7,1700000000000,2,5.50,x,1,3,00a1\n';
    expect(await records(text, { type: 'time' })).toEqual([
      {
        asset_id: 7,
        version: 2,
        timestamp: 1_700_000_000_000,
        log_identifier: '00a1',
        stage_number: 3,
        metadata: { company_id: 1 },
        data: { rop: 5.5, 'Depth (ft)': 'x' },
      },
    ]);
  });

  it('a column like the well names of an export is skipped with a note, unless it is mapped', async () => {
    const text = 'asset_id,well_name,metadata.asset_id,metadata.well_name,a\n7,Ridge 1,7,Ridge 1,5\n';
    const note = async (mapping?: unknown) => {
      const { warnings } = await plan(text, { mapping });
      return warnings.flatMap(({ code, column }) => (code === 'well_names_skipped' ? [column] : []));
    };
    expect(await records(text)).toEqual([
      { asset_id: 7, version: 1, metadata: { asset_id: 7 }, data: { a: 5 } },
    ]);
    expect(await note()).toEqual(['well_name', 'metadata.well_name']);
    const columns = { well_name: { to: 'data.well_name' } };
    const skip = ['metadata.well_name'];
    const mapping = { columns, skip, rest: 'data' };
    expect(await records(text, { mapping })).toMatchObject([{ data: { well_name: 'Ridge 1' } }]);
    expect(await note(mapping)).toEqual([]);
  });

  it('columns set by the service, and those added by a rejects file, are dropped', async () => {
    const text =
      '_id,provider,collection,version,data.a,rejected_line,rejected_code,rejected_message\n66f0,demo,wits,1,5,3,refused,no\n';
    expect(await records(text)).toEqual([{ version: 1, data: { a: 5 } }]);
  });

  it('paths of fields nest; dots and a leading $ in other names become underscores, with a note', async () => {
    const text = 'data.a.b,data.a.c,x.y,No. of wells,$set,x_y\n1,2,3,4,5,6\n';
    expect(await records(text)).toEqual([
      { version: 1, data: { a: { b: 1, c: 2 }, x_y_2: 3, 'No_ of wells': 4, _set: 5, x_y: 6 } },
    ]);
    const { warnings } = await plan(text);
    const notes = warnings.filter(({ code }) => code === 'renamed_field');
    expect(
      notes.map(({ column, message }) => [column, /stored in (.+), because/.exec(message)?.[1]]),
    ).toEqual([
      ['x.y', 'data.x_y_2'],
      ['No. of wells', 'data.No_ of wells'],
      ['$set', 'data._set'],
    ]);
    const columns = { 'x.y': { to: 'data.x.y' } };
    const mapped = { mapping: { columns, rest: 'data' } };
    expect(await records(text, mapped)).toMatchObject([{ data: { x: { y: 3 }, x_y: 6 } }]);
    const named = (await plan(text, mapped)).warnings.filter(({ column }) => column === 'x.y');
    expect(named).toEqual([]);
  });

  it('nested fields of a file of records nest, beside a name with a dot', async () => {
    const text =
      '{"version":1,"a.b":1,"a":{"b":2},"data":{"x.y":3,"$set":4,"x":{"y":5}},"data.flat":6}\n{"version":2}\n';
    expect(await records(text)).toMatchObject([
      { data: { a_b: 1, a: { b: 2 }, x_y: 3, _set: 4, x: { y: 5 }, flat: 6 } },
      {},
    ]);
  });

  it('duplicate and empty names become distinct', async () => {
    expect(await records('a,,a\n1,2,3\n')).toEqual([{ version: 1, data: { a: 1, column_2: 2, 'a (2)': 3 } }]);
  });

  it('arrays and objects in a cell keep their structure, and empty cells are omitted', async () => {
    expect(await records('data.stations,data.n\n"[{""md"":1}]",\n,5\n')).toEqual([
      { version: 1, data: { stations: [{ md: 1 }] } },
      { version: 1, data: { n: 5 } },
    ]);
  });

  it('types follow the whole column: one code with a leading zero makes all of them text', async () => {
    expect(await records('code,n\n00,1\n12,2.50\n')).toEqual([
      { version: 1, data: { code: '00', n: 1 } },
      { version: 1, data: { code: '12', n: 2.5 } },
    ]);
  });

  it('version is 1, with a warning, when nothing sets it', async () => {
    expect((await plan('a\n1\n')).warnings.map(({ code }) => code)).toContain('version_assumed');
    expect((await plan('a,version\n1,1\n')).warnings.map(({ code }) => code)).not.toContain(
      'version_assumed',
    );
  });

  it('company_id is sent, with a warning', async () => {
    const { warnings } = await plan('company_id,a\n1,2\n');
    expect(warnings.map(({ code }) => code)).toContain('company_id');
  });
});

describe('a mapping', () => {
  it('sets where columns go and how they are parsed; other columns are dropped', async () => {
    const mapping = {
      columns: {
        Time: { to: 'timestamp', format: 'yyyy-MM-dd HH:mm:ss', zone: 'America/Chicago' },
        API: { to: 'asset_id', by: 'api_number' },
        'ROP(ft/h)': { to: 'data.rop', type: 'number' },
        Comment: { to: 'data.comment', type: 'string' },
        When: { to: 'data.when', format: 'unix_s' },
        Tick: { to: 'data.tick', format: 'unix_s', type: 'integer' },
      },
      constants: { version: 3, 'data.source': 'rig', 'data.ok': true },
      nulls: ['', '-999.25', 'NULL'],
    };
    const text =
      'Time,API,ROP(ft/h),Comment,Other,When,Tick\n2020-07-01 12:00:00,42-1,-999.25,12,x,1577836800,1577836800\n';
    expect(await records(text, { mapping, type: 'time', assets: { API: { '421': 5003 } } })).toEqual([
      {
        asset_id: 5003,
        version: 3,
        timestamp: Date.parse('2020-07-01T17:00:00Z'),
        data: {
          comment: '12',
          when: '2020-01-01T00:00:00.000Z',
          tick: 1_577_836_800_000,
          source: 'rig',
          ok: true,
        },
      },
    ]);
  });

  it('with rest: data also sends unnamed columns', async () => {
    expect(
      await records('a,b\n1,2\n', { mapping: { columns: { a: { to: 'data.x' } }, rest: 'data' } }),
    ).toEqual([{ version: 1, data: { x: 1, b: 2 } }]);
  });

  it('with rest: skip still maps envelope columns by name', async () => {
    expect(await records('asset_id,b\n1,2\n', { mapping: {} })).toEqual([
      { asset_id: 1, version: 1, data: {} },
    ]);
  });

  it('reports seconds in a column that is read as milliseconds', async () => {
    const text = 'timestamp\n1700000000000\n1700000001\n';
    const columns = { timestamp: { to: 'timestamp', format: 'unix_ms' } };
    const { warnings } = await plan(text, { type: 'time', mapping: { columns, constants: { asset_id: 1 } } });
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: 'implausible_times', line: 3, count: 1 }),
    );
  });

  it('fills blanks with constants', async () => {
    expect(
      await records('asset_id,a\n,1\n9,2\n', { mapping: { constants: { asset_id: 7 }, rest: 'data' } }),
    ).toEqual([
      { asset_id: 7, version: 1, data: { a: 1 } },
      { asset_id: 9, version: 1, data: { a: 2 } },
    ]);
  });

  it('may send two columns to one field if their values agree', async () => {
    const mapping = { columns: { a: { to: 'data.x' }, b: { to: 'data.x' } } };
    expect(await records('a,b\n1,1.0\n,2\n3,\n4,5\n', { mapping })).toEqual([
      { version: 1, data: { x: 1 } },
      { version: 1, data: { x: 2 } },
      { version: 1, data: { x: 3 } },
      ['b:columns_disagree'],
    ]);
  });

  it.each([
    [
      'two columns by their names',
      'timestamp,timestamp,a\n1700000000000,1700000000000,3\n',
      {},
      'timestamp',
      ['timestamp', 'timestamp (2)'],
    ],
    [
      'a mapped column and another by its name',
      'a,data.x\n1,2\n',
      { a: { to: 'data.x' } },
      'data.x',
      ['a', 'data.x'],
    ],
    ['a mapped column and one of the rest', 'a,b\n1,2\n', { a: { to: 'data.b' } }, 'data.b', ['a', 'b']],
    ['names with units', 'data.rop (ft/h),data.rop\n1,2\n', {}, 'data.rop', ['data.rop (ft/h)', 'data.rop']],
  ])('sends no two columns to one field by chance: %s', async (_what, text, columns, field, names) => {
    await expect(plan(text, { mapping: { columns, rest: 'data' } })).rejects.toMatchObject({
      code: 'invalid_input',
      details: {
        issues: expect.arrayContaining([
          expect.objectContaining({
            message: expect.stringContaining(
              `Columns “${names[0]}” and “${names[1]}” go to one field, ${field}. Map one of them elsewhere`,
            ) as string,
            place: { field: `mapping.columns.${names[1]}` },
          }),
        ]) as unknown,
      },
    });
    const both = Object.fromEntries(names.map((name) => [name, { to: field }]));
    const { warnings } = await plan(text, { mapping: { columns: both, rest: 'skip' } });
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'columns_merged', column: names[1] }));
  });

  it('takes two notations of a time for one value', async () => {
    const mapping = { columns: { a: { to: 'data.x' }, b: { to: 'data.x' } } };
    const [utc, local] = ['2026-01-31T06:00:00Z', '2026-01-31T00:00:00.0-06:00'];
    expect(await records(`a,b\n${utc},${local}\n${utc},2026-01-31T06:00:01Z\n`, { mapping })).toEqual([
      { version: 1, data: { x: utc } },
      ['b:columns_disagree'],
    ]);
  });
});

describe('a well that every sampled record of the dataset has', () => {
  const text = 'md\n1\n2\n';

  it('is required, and the message says how to go without it', async () => {
    const [message] = await refusal(text, { requiresWell: true });
    expect(message).toContain('Every sampled record of p/d has a well.');
    expect(message).toContain('"withoutWell": true');
    expect(await refusal(text)).toEqual([]);
  });

  it('is left out if the mapping confirms it, with a warning', async () => {
    const { rules, warnings } = await plan(text, {
      requiresWell: true,
      mapping: { withoutWell: true, rest: 'data' },
    });
    expect(rules.required).toEqual([['version']]);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'without_well', count: 2 }));
    const named = { withoutWell: true, constants: { asset_id: 5 }, rest: 'data' };
    const others = await plan(text, { requiresWell: true, mapping: named });
    expect(others.warnings.map(({ code }) => code)).not.toContain('without_well');
  });

  it('stays required by its type', async () => {
    const mapping = { withoutWell: true, columns: { md: { to: 'timestamp', format: 'unix_ms' } } };
    const [message, ...others] = await refusal(text, { type: 'time', requiresWell: true, mapping });
    expect(message).toContain('needs asset_id');
    expect(message).not.toContain('withoutWell');
    expect(others).toEqual([]);
  });
});

describe('units', () => {
  const mapping = (more: object) => ({
    columns: {
      'WOB (kN)': { to: 'data.weight_on_bit', type: 'number', unit: 'kN', fieldUnit: 'klbf', ...more },
    },
  });
  const text = 'WOB (kN)\n44.482216152605\n0\n\n';

  it('convert the values of a column, and a warning lists each conversion', async () => {
    expect(await records(text, { mapping: mapping({}) })).toEqual([
      { version: 1, data: { weight_on_bit: 10 } },
      { version: 1, data: { weight_on_bit: 0 } },
    ]);
    const { warnings } = await plan(text, { mapping: mapping({}) });
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: 'units_converted', column: 'WOB (kN)', count: 2 }),
    );
  });

  it('convert a difference of temperatures by its size', async () => {
    for (const [to, value] of [
      ['data.temperature_difference', 1],
      ['data.mud_temp_in', -16.7777777777778],
    ] as const) {
      const columns = { T: { to, unit: '°F', fieldUnit: 'degC' } };
      const { warnings } = await plan('T\n1.8\n', { mapping: { columns } });
      expect(await records('T\n1.8\n', { mapping: { columns } })).toMatchObject([
        { data: { [to.slice(5)]: value } },
      ]);
      expect(warnings[0]?.message).toBe(`Column “T” is converted from °F to °C, such as 1.8 to ${value}.`);
    }
  });

  it('reject the cells that no number holds in the other unit', async () => {
    const found = await records('WOB (kN)\n1e300\n1e306\n-1e306\n2\n', {
      mapping: mapping({ unit: 'klbf', fieldUnit: 'N' }),
    });
    expect(found.slice(1, 3)).toEqual([['WOB (kN):too_large_number'], ['WOB (kN):too_large_number']]);
    expect(found[3]).toEqual({ version: 1, data: { weight_on_bit: 8896.443230521 } });
  });

  it('that the file contradicts are a warning', async () => {
    const codes = async (more: object, header = text) =>
      (await plan(header, { mapping: mapping(more) })).warnings.map(({ code }) => code);
    expect(await codes({ unit: 'daN' })).toContain('unit_differs');
    expect(await codes({ unit: 'daN', fieldUnit: undefined })).toContain('unit_differs');
    for (const more of [{}, { unit: 'KN' }, { unit: undefined }])
      expect(await codes(more)).not.toContain('unit_differs');
    // A unit row, and a file that says no unit.
    const named = { columns: { WOB: { to: 'data.weight_on_bit', unit: 'kN', fieldUnit: 'klbf' } } };
    const warnings = async (text: string) => (await plan(text, { mapping: named })).warnings;
    expect(await warnings('Depth,WOB\nft,klbf\n1,2\n3,4\n')).toContainEqual(
      expect.objectContaining({ code: 'unit_differs', column: 'WOB', cell: 'klbf' }),
    );
    expect((await warnings('Depth,WOB\n1,2\n3,4\n')).map(({ code }) => code)).not.toContain('unit_differs');
  });

  it('that are unknown are a warning on their columns of numbers', async () => {
    const columns = { A: { to: 'data.a' }, B: { to: 'data.b' }, C: { to: 'data.c' }, D: { to: 'data.d' } };
    const units = async (row: string, mapped: object = columns) =>
      (await plan(`A,B,C,D\n${row}\n1,2,3,x\n4,5,6,y\n`, { mapping: { columns: mapped } })).warnings
        .filter(({ code }) => code === 'unit_unknown')
        .map(({ column, cell, count }) => [column, cell, count]);
    expect(await units('ft,klbf,bbl/xyz,m/q')).toEqual([['C', 'bbl/xyz', 2]]);
    expect(await units('ft,klbf,bbl/xyz,m/q', { ...columns, C: { to: 'data.c', unit: 'bbl' } })).toEqual([]);
    expect(await units('ft,klbf,unitless,-')).toEqual([]);
  });

  it('are those of the table of units, also in the form of a date, and “units” of gas', async () => {
    const unitsOf = async (names: string, units: string) =>
      (await plan(`${names}\n${units}\n1,2,3\n4,5,6\n`, { mapping: { rest: 'data' }, storedUnits: {} }))
        .newUnits;
    expect(await unitsOf('A,B,C', 'mS/m,mD.m,MD.M')).toEqual({
      'data.A': 'mS/m',
      'data.B': 'mD.m',
      'data.C': 'MD.M',
    });
    expect(await unitsOf('Total gas,TG,WOB', 'units,UNITS,units')).toEqual({
      'data.Total gas': 'units',
      'data.TG': 'UNITS',
    });
    for (const form of ['DD/MM/YYYY', 'hh:mm:ss', 'YYYY-MM-DD', 'HHMMSS'])
      expect(await unitsOf('A,B,C', `${form},m,psi`), form).toEqual({ 'data.B': 'm', 'data.C': 'psi' });
  });

  describe('of a file and of the dataset that differ without a conversion are a warning', () => {
    const to = (field: string, more = {}) => ({ columns: { A: { to: `data.${field}`, ...more } } });
    const storedUnits: StoredUnits = { 'data.depth': 'ft', 'data.odd': 'blorps', 'data.bare': null };
    const about = async (unit: string, mapping: object) =>
      (await plan(`A\n${unit}\n1\n2\n`, { mapping, storedUnits })).warnings.filter(
        ({ column, code }) => column === 'A' && code !== 'unit_differs' && code !== 'units_converted',
      );

    it.each([
      [
        'measures something else',
        'psi',
        to('depth'),
        'unit_mismatch',
        'Column “A” is in psi, but data.depth is in ft',
      ],
      ['isn’t known', 'xyz/h', to('depth'), 'unit_unknown', 'check that they fit data.depth, which is in ft'],
      [
        'is set but isn’t known',
        'm',
        to('depth', { unit: 'blorp' }),
        'unit_unknown',
        'the unit “blorp” isn’t known',
      ],
      [
        'is that of a field with another unknown one',
        'm',
        to('odd'),
        'field_unit_unknown',
        '“blorps”, isn’t known',
      ],
      [
        'is that of a field with numbers of an unknown one',
        'm',
        to('bare'),
        'field_unit_unknown',
        'is in m, but the unit of data.bare isn’t known',
      ],
      [
        'is converted for a field with numbers of an unknown one',
        'm',
        to('bare', { unit: 'm', fieldUnit: 'ft' }),
        'field_unit_unknown',
        'is stored in ft, but the unit of data.bare isn’t known',
      ],
      ['is missing', '-', to('depth'), 'unit_missing', 'no unit in the file, and data.depth is in ft'],
      ['is kept', 'm', to('depth', { convert: false }), 'unit_kept', 'conversion is off'],
      [
        'is of whole numbers',
        'm',
        to('depth', { type: 'integer' }),
        'unit_mismatch',
        'Column “A” is in m, but data.depth is in ft, and whole numbers aren’t converted. Values are stored unchanged.',
      ],
      [
        'becomes that of a new field',
        'm',
        to('new'),
        'unit_of_new_field',
        'The new field data.new gets this unit',
      ],
    ])('where the unit of the file %s', async (_, unit, mapping, code, message) => {
      expect(await about(unit, mapping)).toEqual([
        expect.objectContaining({ code, count: 2, message: expect.stringContaining(message) }),
      ]);
    });

    it('and so is a mapping that converts into another unit than that of the field', async () => {
      const { warnings } = await plan('A\nm\n1\n2\n', {
        mapping: to('depth', { unit: 'm', fieldUnit: 'in' }),
        storedUnits,
      });
      expect(warnings).toContainEqual(
        expect.objectContaining({
          code: 'unit_differs',
          message: expect.stringMatching(/stored in in, but data.depth is in ft/),
        }),
      );
    });

    it('but not where they are the same, both unknown, or not of numbers', async () => {
      expect(await about('feet', to('depth'))).toEqual([]);
      expect(await about('feet', to('depth', { type: 'integer' }))).toEqual([]);
      expect(await about('-', to('bare'))).toEqual([]);
      expect(await about('-', to('new'))).toEqual([]);
      expect(await about('m', to('depth', { type: 'string' }))).toEqual([]);
    });

    it('and new fields have the units of the file, or those into which they are converted', async () => {
      const units = async (mapping: object) =>
        (await plan('A,B\nm,psi\n1,2\n', { mapping, storedUnits })).newUnits;
      expect(await units({ columns: { A: { to: 'data.new' }, B: { to: 'data.depth' } } })).toEqual({
        'data.new': 'm',
      });
      expect(await units(to('new', { unit: 'm', fieldUnit: 'ft' }))).toEqual({ 'data.new': 'ft' });
    });
  });

  it('show an example in the notation of the file', async () => {
    const mapping = { columns: { MD: { to: 'data.md', type: 'number', unit: 'ft', fieldUnit: 'm' } } };
    const { warnings } = await plan('MD;A\n1,338;0,5\n1,125;1,5\n', { mapping });
    const message = warnings.find(({ code }) => code === 'units_converted')?.message;
    expect(message).toContain('such as 1,338 to 0.40');
  });

  it('keep the digits of the file when both are the same, or one is not set', async () => {
    const same = 'WOB (kN)\n1.50\n';
    for (const more of [{ fieldUnit: 'KN' }, { fieldUnit: undefined }, { unit: undefined }]) {
      const { warnings } = await plan(same, { mapping: mapping(more) });
      expect(warnings.map(({ code }) => code)).not.toContain('units_converted');
      expect(await records(same, { mapping: mapping(more) })).toEqual([
        { version: 1, data: { weight_on_bit: 1.5 } },
      ]);
    }
  });

  it.each([
    [{ unit: 'psi' }, /can't be converted/],
    [{ unit: 'unheard' }, /isn't a known unit/],
    [{ type: 'string' }, /only for numbers/],
  ])('that can’t be converted are rejected: %j', async (more, message) => {
    expect(await refusal(text, { mapping: mapping(more) })).toEqual([expect.stringMatching(message)]);
  });
});

describe('a row is rejected', () => {
  it.each([
    [
      'without a required value',
      'asset_id,timestamp,version\n,1700000000000,1\n',
      ['asset_id:missing_value'],
    ],
    [
      'with several problems, all of which are named',
      'asset_id,timestamp,version\nx,never,1\n1,1700000000000,1\n2,1700000001000,1\n3,1700000002000,1\n',
      ['asset_id:not_an_integer', 'timestamp:not_a_time'],
    ],
  ])('%s', async (_what, text, problems) => {
    const mapping = { columns: { timestamp: { to: 'timestamp', format: 'unix_ms' } } };
    expect((await records(text, { type: 'time', mapping }))[0]).toEqual(problems);
  });

  it('with a text, a number, or a day that doesn’t exist among times with zones', async () => {
    const cells = [
      '2026-01-02T03:04:05Z',
      '2026-01-02T03:04:05.120-06:00',
      '2026-01-02 03:04:05-0600',
      '2026-073T03:04:05Z',
      'n.d.',
      '-999.25',
      '2026-02-30T00:00:00Z',
      '2026-01-02T25:00:00Z',
    ];
    const text = `metadata.asset_id,version,datetime\n${cells.map((cell) => `5001,1,${cell}\n`).join('')}`;
    const rows = await records(text, { type: 'timeseries' });
    expect(rows.slice(0, 4)).toMatchObject(
      [cells[0], cells[1], '2026-01-02T09:04:05Z', '2026-03-14T03:04:05Z'].map((datetime) => ({ datetime })),
    );
    expect(rows.slice(4)).toEqual(Array.from({ length: 4 }, () => ['datetime:not_a_time']));
  });

  it('without values, or with too many or too few cells', async () => {
    expect(
      await records('a,b\n,\n1\n1,2,3\n1,2,\n', { mapping: { constants: { asset_id: 1 }, rest: 'data' } }),
    ).toEqual([
      [':empty_row'],
      [':too_few_cells'],
      [':too_many_cells'],
      { asset_id: 1, version: 1, data: { a: 1, b: 2 } },
    ]);
  });
});

describe('a date and a time of day in two columns', () => {
  const text = 'Date,Time,ROP\n03/14/2024,23:30,1\n3/15/2024,00:05,2\n,,3\n03/16/2024,NULL,4\n';
  const columns = { Date: { to: 'timestamp', join: ['Time'], zone: 'America/Chicago' } };
  const mapping = { columns, constants: { asset_id: 1, version: 1 }, rest: 'data' };

  it('become one timestamp, and the time of day is not sent elsewhere', async () => {
    expect(await records(text, { type: 'time', mapping })).toEqual([
      { asset_id: 1, version: 1, timestamp: Date.UTC(2024, 2, 15, 4, 30), data: { ROP: 1 } },
      { asset_id: 1, version: 1, timestamp: Date.UTC(2024, 2, 15, 5, 5), data: { ROP: 2 } },
      ['Date:missing_value'],
      ['Date:not_a_time'],
    ]);
  });

  it('use the only format that fits both, or the given one', async () => {
    const { rules, warnings } = await plan(text, { type: 'time', mapping });
    expect(rules.columns[0]).toMatchObject({ index: 0, join: [1], conversion: { format: 'M/d/yyyy H:mm' } });
    expect(warnings).toEqual([]);
    const iso = 'Date,Time\n2024-03-14,1:05:00 PM\n';
    const [record] = await records(iso, { type: 'time', mapping: { ...mapping, rest: 'skip' } });
    expect(record).toMatchObject({ timestamp: Date.UTC(2024, 2, 14, 18, 5) });
    const open = 'Date,Time\n03/04/2024,13:05\n';
    expect((await refusal(open, { type: 'time', mapping })).join()).toMatch(
      /“03\/04\/2024 13:05”, joined from 2 columns, is an ambiguous time/,
    );
    const format = 'dd/MM/yyyy HH:mm';
    const named = { ...mapping, columns: { Date: { ...columns.Date, format } } };
    expect(await records(open, { type: 'time', mapping: named })).toMatchObject([
      { timestamp: Date.UTC(2024, 3, 3, 18, 5) },
    ]);
  });

  it('may go to a data field, as text or as a time', async () => {
    const to = (more: object) => ({ columns: { Date: { to: 'data.start', join: ['Time'], ...more } } });
    expect(await records(text, { mapping: { ...to({}), constants: { version: 1 } } })).toMatchObject([
      { data: { start: '03/14/2024 23:30' } },
      { data: { start: '3/15/2024 00:05' } },
      [':empty_row'],
      { data: { start: '03/16/2024' } },
    ]);
    const time = to({ format: 'M/d/yyyy H:mm', zone: 'UTC' });
    expect((await records(text, { mapping: { ...time, constants: { version: 1 } } }))[0]).toMatchObject({
      data: { start: '2024-03-14T23:30:00.000Z' },
    });
  });

  it.each([
    ['a column that is not in the file', ['Tmie'], /"join" names the column “Tmie”, but the file has/],
    ['the column itself', ['Date'], /can list each column once/],
    ['a column twice', ['Time', 'Time'], /can list each column once/],
  ])('are rejected when the join names %s', async (_what, join, message) => {
    const wrong = { ...mapping, columns: { Date: { to: 'timestamp', join } } };
    expect((await refusal(text, { type: 'time', mapping: wrong })).join(' ')).toMatch(message);
  });

  it('get a warning when only the date is used: all rows are at midnight', async () => {
    const only = { ...mapping, columns: { Date: { to: 'timestamp', zone: 'UTC' } } };
    expect((await plan(text, { type: 'time', mapping: only })).warnings).toMatchObject([
      { code: 'time_of_day_unused', column: 'Date', cell: 'Time', count: 3, line: 2 },
    ]);
    const daily = 'Date,ROP\n2024-03-14,1\n2024-03-15,2\n';
    expect((await plan(daily, { type: 'time', mapping: only })).warnings).toMatchObject([
      { code: 'times_at_midnight', column: 'Date', count: 2 },
    ]);
    const pattern = { ...mapping, columns: { Date: { to: 'timestamp', format: 'yyyyMMdd', zone: 'UTC' } } };
    expect((await plan('Date\n20240314\n', { type: 'time', mapping: pattern })).warnings).toMatchObject([
      { code: 'times_at_midnight' },
    ]);
  });

  it.each([
    ['yyyy-MM', ['2025-01', '2025-02', '2025-03']],
    ['yyyyMM', ['202501', '202502', '202503']],
    ['MMM-yy', ['Jan-25', 'Feb-25', 'Mar-25']],
  ])('of a month have their number in the warning about midnight: %s', async (format, cells) => {
    const months = { ...mapping, columns: { Date: { to: 'timestamp', format, zone: 'UTC' } } };
    const text = `Date,Oil\n${cells.map((cell) => `${cell},5\n`).join('')}`;
    expect((await plan(text, { type: 'time', mapping: months })).warnings).toMatchObject([
      { code: 'times_at_midnight', count: 3 },
    ]);
  });

  it('with abbreviations of zones are read by the format that the refusal gives', async () => {
    const text = 'Date,Oil\n2025-03-14 06:00:00 CDT,5\n2025-11-14 06:00:00 CST,6\n';
    const dates = { ...mapping, columns: { Date: { to: 'timestamp' } } };
    const format = 'yyyy-M-d H:mm:ss z';
    expect((await refusal(text, { type: 'time', mapping: dates })).join(' ')).toContain(
      `"format": "${format}"`,
    );
    const zoned = { ...mapping, columns: { Date: { to: 'timestamp', format } } };
    expect((await plan(text, { type: 'time', mapping: zoned })).warnings).toEqual([]);
  });

  it('of a day of the year are read if they are mapped to a time', async () => {
    const dates = { ...mapping, columns: { Date: { to: 'timestamp', zone: 'UTC' } } };
    const { rules, scan } = await plan('Date,Oil\n2025-073,5\n2025-074,6\n', {
      type: 'time',
      mapping: dates,
    });
    expect(rules.columns[0]?.conversion).toMatchObject({ kind: 'time', format: 'yyyy-ooo' });
    expect(inspectionOf(scan).columns[0]?.type).toBe('string');
  });

  it.each([
    ['yyyyMM', ['202501', '202512']],
    ['ddMMyy', ['140325', '310325']],
    ['MMddyy', ['031425', '123125']],
    ['ddMMyy', ['010325', '090325']],
    ['yyMMdd', ['850131', '991231']],
  ])('of six digits are refused with the format that fits: %s', async (format, cells) => {
    const dates = { ...mapping, columns: { Date: { to: 'timestamp' } } };
    const text = `Date,Oil\n${cells.map((cell) => `${cell},5\n`).join('')}`;
    const message = (await refusal(text, { type: 'time', mapping: dates })).join(' ');
    expect(message).toContain(`Set "format": "${format}"`);
    expect(message).not.toContain('unix_s');
  });
});

describe('times', () => {
  it('use the only order of day and month that fits all of them', async () => {
    const mapping = {
      columns: { t: { to: 'timestamp', zone: 'UTC' } },
      constants: { asset_id: 1, version: 1 },
    };
    const found = await plan('t\n03/04/2024 10:00\n03/14/2024 10:00\n', { type: 'time', mapping });
    expect(found.rules.columns[0]?.conversion).toMatchObject({ format: 'M/d/yyyy H:mm' });
    expect(scanWarnings(found.scan).map(({ code }) => code)).toEqual(['zone_missing']);
  });

  it.each([
    ['Time (UTC−6),A,B\n', 12],
    ['Time,A,B\nUTC – 6,psi,m\n', 12],
    ['Time (UTC minus 6),A,B\n', 12],
    ['Time (UTC),A,B\n', 6],
  ])('have the offset of the header: %j', async (head, hour) => {
    const time = head.slice(0, head.indexOf(','));
    const mapping = { columns: { [time]: { to: 'timestamp' } }, constants: { asset_id: 1 }, rest: 'data' };
    const text = `${head}2025-03-14 06:00:00,1,3\n2025-03-14 06:00:01,2,4\n`;
    const { warnings } = await plan(text, { type: 'time', mapping });
    expect(warnings.map(({ code }) => code)).not.toContain('zone_assumed');
    expect(await records(text, { type: 'time', mapping })).toMatchObject([
      { timestamp: Date.UTC(2025, 2, 14, hour) },
      { timestamp: Date.UTC(2025, 2, 14, hour, 0, 1) },
    ]);
  });

  it('are read as UTC with a warning if the offset of the header can’t be read', async () => {
    const columns = { 'Time (UTC?6)': { to: 'timestamp' } };
    const { warnings } = await plan('Time (UTC?6)\n2025-03-14 06:00:00\n', {
      type: 'time',
      mapping: { columns, constants: { asset_id: 1 } },
    });
    expect(warnings.map(({ code }) => code)).toContain('zone_assumed');
  });

  it('without a zone in a data field are stored as text, with a warning', async () => {
    const { warnings, columns, scan } = await plan('start\n2024-03-14 10:00\n2024-03-14 11:00\n', {
      mapping: { constants: { version: 1 }, rest: 'data' },
    });
    expect(warnings).toMatchObject([{ code: 'time_as_text', column: 'start', count: 2, line: 2 }]);
    expect(openWarnings(scan, noMapping, { columns })).toEqual([]);
    const zoned = await plan('start\n2024-03-14 10:00Z\n', {
      mapping: { constants: { version: 1 }, rest: 'data' },
    });
    expect(zoned.warnings).toEqual([]);
  });

  it('in a data field with a zone in the mapping are stored in UTC', async () => {
    const mapping = { columns: { start: { to: 'data.start', zone: 'America/Chicago' } } };
    expect(await records('start\n2024-01-14 10:00\n2024-01-14 11:00\n', { mapping })).toMatchObject([
      { data: { start: '2024-01-14T16:00:00.000Z' } },
      { data: { start: '2024-01-14T17:00:00.000Z' } },
    ]);
  });

  it('aren’t well names', async () => {
    const [record] = await records('well,rop\n15/9-15,1\n15/9-F-1,2\n', {
      mapping: { constants: { version: 1 }, rest: 'data' },
    });
    expect(record).toMatchObject({ data: { well: '15/9-15', rop: 1 } });
  });
});

describe('before anything is sent, an upload is rejected', () => {
  it('when a required column is missing, with the columns of the file and the next step', async () => {
    const [message] = await refusal('Time,ROP\n2020-01-01T00:00:00Z,1\n', { type: 'time' });
    expect(message).toMatch(/p\/d \(time\) needs asset_id, timestamp/);
    expect(message).toMatch(/The file has “Time”, “ROP”/);
    expect(message).toContain('{"columns": {"Time": {"to": "timestamp"}}, "constants": {"asset_id": 1001}}');
    const [ofDepth] = await refusal('Depth,GR\n1,2\n', { type: 'depth' });
    expect(ofDepth).toContain('"constants": {"asset_id": 1001, "log_identifier": "run 1"}}');
  });

  it.each([
    [
      'a column that is not in the file',
      { columns: { Tmie: { to: 'timestamp' } } },
      /has the column “Tmie”, but the file has “a”, “b”/,
    ],
    ['an unknown field', { columns: { a: { to: 'depth' } } }, /“depth” .* a record field/],
    ['_id', { columns: { a: { to: '_id' } } }, /set by the service/],
    ['an empty part of a path', { columns: { a: { to: 'data..x' } } }, /valid path/],
    [
      'a value and an object in one place',
      { columns: { a: { to: 'data.x' }, b: { to: 'data.x.y' } } },
      /can't be a value and also contain/,
    ],
    [
      'an unknown time zone',
      { columns: { a: { to: 'data.t', format: 'iso', zone: 'Mars/Olympus' } } },
      /time zone/,
    ],
    ['a pattern without a year', { columns: { a: { to: 'data.t', format: 'HH:mm' } } }, /no year/],
    [
      'by on a column that isn’t the well',
      { columns: { a: { to: 'data.t', by: 'name' } } },
      /only for asset_id/,
    ],
    ['a constant of another type', { constants: { asset_id: 'x' }, rest: 'data' }, /must be a whole number/],
    ['nothing at all', {}, /No column of the file is mapped/],
  ])('when a mapping names %s', async (_what, mapping, message) => {
    expect((await refusal('a,b\n1,2\n', { mapping })).join(' ')).toMatch(message);
  });

  it.each([
    [
      'seconds among milliseconds',
      'timestamp\n1700000000000\n1700000001\n1700000002000\n',
      /1700000001 \(line 3\)/,
    ],
    ['seconds that could be milliseconds', 'timestamp\n1700000000\n1700000001\n', /look like seconds/],
    ['days that could be months', 'timestamp\n01/02/2020\n03/04/2020\n', /ambiguous time/],
    ['no times at all', 'timestamp\nmonday\ntuesday\n', /a known format/],
  ])('when a time column has %s', async (_what, text, message) => {
    expect(
      (await refusal(text, { type: 'time', mapping: { constants: { asset_id: 1 } } })).join(' '),
    ).toMatch(message);
  });

  it('with all errors at once', async () => {
    expect(
      await refusal('a,b\n1,2\n', {
        mapping: { columns: { x: { to: 'data.x' }, a: { to: 'nowhere' } }, constants: { _id: 1 } },
      }),
    ).toHaveLength(3);
  });
});
