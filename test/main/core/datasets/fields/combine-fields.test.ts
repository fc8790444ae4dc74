import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { combineFields } from '../../../../../src/main/core/datasets/fields/combine-fields.ts';
import { isObject, parseJson, stringifyJson, type JsonValue } from '../../../../../src/shared/json.ts';
import { datasetField } from '../../../../../src/shared/datasets/fields.ts';

const time = (schema: Record<string, unknown> = {}) => ({ type: 'time' as const, schema });
const fieldsOf = (records: JsonValue[], schema?: Record<string, unknown>) =>
  new Map(combineFields(time(schema), records).fields.map((field) => [field.path, field]));

describe('the depth of a record', () => {
  const unitOfDepth = (
    depths: number[],
    repeated: (depth: number) => number,
    units?: Record<string, string>,
  ) =>
    combineFields(
      { type: 'depth', schema: { default_units: { dep: 'ft', ...units } } },
      depths.map((depth) => ({ measured_depth: depth, data: { dep: repeated(depth), rop: depth } })),
    ).fields.find(({ path }) => path === 'measured_depth')?.unit;

  it('has the unit of a channel that repeats it', () => {
    expect(unitOfDepth([9000, 9001], (depth) => depth + 1)).toBe('ft');
    expect(unitOfDepth([], (depth) => depth)).toBe('ft');
  });

  it('has no unit if the channel of the same name has other values', () => {
    expect(unitOfDepth([2743, 2744], (depth) => depth / 0.3048)).toBeUndefined();
  });

  it('keeps that unit when an upload adds records of other depths without the channel', () => {
    const repeated = { measured_depth: 2000, data: { dep: 2000 } };
    const records = [repeated, { measured_depth: 13_532, data: { cali: 8.5 } }];
    const definition = { type: 'depth' as const, schema: { default_units: { dep: 'ft' } } };
    const { fields } = combineFields(definition, records);
    expect(fields.find(({ path }) => path === 'measured_depth')?.unit).toBe('ft');
  });

  it('has its own unit before that', () => {
    expect(unitOfDepth([9000, 9001], (depth) => depth, { measured_depth: 'm' })).toBe('m');
  });
});

describe('the fields of a dataset', () => {
  it('are those of its type by default, with units and descriptions but no shares', () => {
    const fields = fieldsOf([]);
    expect(fields.get('timestamp')).toEqual({
      path: 'timestamp',
      from: 'type',
      types: ['integer'],
      unit: 'ms',
      description: 'Unix time in milliseconds',
    });
    expect([...fields.keys()]).toEqual(expect.arrayContaining(['_id', 'asset_id', 'version', 'data']));
    expect(fields.has('measured_depth')).toBe(false);
  });

  it('have shares of null and missing values, an example, and a unit', () => {
    const fields = fieldsOf(
      [
        { _id: 'a', timestamp: 5, data: { rop: null, wob: 1 } },
        { _id: 'b', timestamp: 6, data: { rop: 142.5 } },
        { _id: 'c', timestamp: 7, data: { rop: 140 } },
        { _id: 'd', timestamp: 8, data: {} },
      ],
      { default_units: { rop: 'ft/h', 'hidden.one': 'psi' } },
    );
    expect(fields.get('data.rop')).toEqual({
      path: 'data.rop',
      from: 'definition',
      types: ['number'],
      unit: 'ft/h',
      example: '142.5',
      nulls: 0.25,
      absent: 0.25,
      range: { min: 140, max: 142.5 },
    });
    expect(fields.get('data.wob')).toMatchObject({
      from: 'sample',
      types: ['integer'],
      nulls: 0,
      absent: 0.75,
    });
    expect(fields.get('timestamp')).toMatchObject({
      from: 'type',
      types: ['integer'],
      example: '5',
      absent: 0,
    });
    // Units in a definition describe a field that no record has.
    expect(fields.get('data.hidden.one')).toEqual({
      path: 'data.hidden.one',
      from: 'definition',
      types: [],
      unit: 'psi',
      nulls: 0,
      absent: 1,
    });
  });

  it('have the units that the application remembers first, also for a field that no record of the sample has', () => {
    const { fields } = combineFields(
      time({ default_units: { rop: 'ft/h' } }),
      [{ data: { rop: 5, cali: 8.5 } }],
      {
        fromUser: { 'data.rop': 'm/h', 'data.cali': 'in', 'data.den': 'g/cm3', measured_depth: 'ft' },
        fromUploads: {},
      },
    );
    const units = fields.flatMap(({ path, unit }) => (unit === undefined ? [] : [[path, unit]]));
    expect(Object.fromEntries(units)).toMatchObject({
      'data.rop': 'm/h',
      'data.cali': 'in',
      'data.den': 'g/cm3',
      measured_depth: 'ft',
    });
  });

  it('treat a number such as -999.25 as a possible null, neither an example nor a type', () => {
    const fields = fieldsOf([
      { data: { gamma: -999.25, dead: -999.25 } },
      { data: { gamma: 78, dead: -999.25 } },
    ]);
    expect(fields.get('data.gamma')).toMatchObject({
      types: ['integer'],
      example: '78',
      nulls: 0,
      tokens: [{ value: -999.25, share: 0.5 }],
    });
    expect(fields.get('data.dead')).toMatchObject({
      types: ['number'],
      tokens: [{ value: -999.25, share: 1 }],
    });
    expect(fields.get('data.dead')).not.toHaveProperty('example');
  });

  it('keep the digits of large integers', () => {
    const fields = fieldsOf([parseJson('{"data":{"serial":10000000000000000001}}')]);
    expect(fields.get('data.serial')).toMatchObject({ types: ['integer'], example: '10000000000000000001' });
  });

  it('include those in arrays of objects; shares are of records', () => {
    const fields = fieldsOf([
      { data: { stations: [{ md: 1.5, note: null }, { md: 2.5 }], tags: ['a', 'b'] } },
      { data: { stations: [] } },
    ]);
    expect(fields.get('data.stations')).toMatchObject({ types: ['array'], absent: 0 });
    expect(fields.get('data.stations.md')).toMatchObject({ types: ['number'], example: '1.5', absent: 0.5 });
    expect(fields.get('data.stations.note')).toMatchObject({ types: ['null'], nulls: 0.5, absent: 0.5 });
    expect(fields.get('data.tags')).toMatchObject({ types: ['array'], example: '["a","b"]' });
  });

  it('list the values of a text field with few of them, the most frequent first, but not ids, dates, or long texts', () => {
    const states = ['In Slips', 'Rotary', 'Rotary', 'Rotary', 'In Slips', 'Slide'];
    const fields = fieldsOf(
      states.map((state, at) => ({
        _id: `id-${at}`,
        data: { state, at: `2026-11-21T06:00:0${at % 2}.123456Z`, long: 'x'.repeat(300) },
      })),
    );
    expect(fields.get('data.state')).toMatchObject({
      types: ['string'],
      values: ['Rotary', 'In Slips', 'Slide'],
    });
    expect(fields.get('_id')).not.toHaveProperty('values');
    expect(fields.get('data.at')).toMatchObject({ types: ['date'] });
    expect(fields.get('data.at')).not.toHaveProperty('values');
    expect(fields.get('data.long')).not.toHaveProperty('values');
    expect(fields.get('data.long')?.example).toHaveLength(203);
  });

  it('list each type that a field has, with number for integers among numbers', () => {
    const fields = fieldsOf(
      [1, 1.5, 'x', '2026-01-01', true, [1], { a: 1 }, null].map((mixed) => ({ mixed })),
    );
    expect(fields.get('mixed')?.types).toEqual(['number', 'string', 'boolean', 'date', 'object', 'array']);
  });

  it('are read from an example record in the definition, ignoring its nulls', () => {
    const schema = { data: { elapsed_time: 3600, remark: null }, stage_number: 12, default_units: {} };
    const fields = fieldsOf([], schema);
    expect(fields.get('data.elapsed_time')).toEqual({
      path: 'data.elapsed_time',
      from: 'definition',
      types: ['integer'],
      example: '3600',
    });
    expect(fields.get('data.remark')?.types).toEqual([]);
    expect(fields.get('stage_number')).toMatchObject({ from: 'type', types: ['integer'] });
    expect(fields.has('default_units')).toBe(false);
  });

  it.each([
    ['a JSON Schema', { type: 'object', properties: { rop: { type: 'number' } } }],
    ['invalid units', { default_units: ['ft'] }],
    ['an invalid payload', { data: 'free text' }],
  ])('are not read from %s', (_what, schema) => {
    expect([...fieldsOf([], schema).keys()]).toEqual([...fieldsOf([]).keys()]);
  });

  it('have the unit of an uploaded file only where the definition has none', () => {
    const { fields } = combineFields(
      time({ default_units: { rop: 'ft/h' } }),
      [{ data: { rop: 5, cali: 8.5, den: 2.6 } }],
      {
        fromUser: { 'data.cali': 'in' },
        fromUploads: { 'data.rop': 'm/h', 'data.cali': 'mm', 'data.den': 'g/cm3' },
      },
    );
    const units = fields.flatMap(({ path, unit }) => (path.startsWith('data.') ? [[path, unit]] : []));
    expect(Object.fromEntries(units)).toEqual({
      'data.rop': 'ft/h',
      'data.cali': 'in',
      'data.den': 'g/cm3',
    });
  });

  it('have a unit from brackets in the name', () => {
    expect(fieldsOf([{ data: { 'ROP(ft/h)': 1 } }]).get('data.ROP(ft/h)')).toMatchObject({ unit: 'ft/h' });
  });

  it('follow their parent, however late they were found', () => {
    const { fields } = combineFields({ type: 'timeseries', schema: {} }, [
      { data: { a: 1 } },
      { metadata: { sensor: 'n1' }, data: { a: { x: 1 }, b: 2 } },
    ]);
    const paths = fields.map(({ path }) => path);
    expect(paths.slice(paths.indexOf('metadata'))).toEqual([
      'metadata',
      'metadata.asset_id',
      'metadata.company_id',
      'metadata.sensor',
      'data',
      'data.a',
      'data.a.x',
      'data.b',
    ]);
  });

  it('are limited to thousands, with a warning', () => {
    const wide = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`f${at}`, at]));
    const { fields, more } = combineFields(time(), [wide]);
    expect(more).toBe(true);
    expect(fields.length).toBeLessThan(2100);
    const deep = JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`) as JsonValue;
    expect(combineFields(time(), [deep]).more).toBe(true);
  });

  const key = fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'data', 'a.b', '', '$x', '0'),
    fc.string({ maxLength: 4 }),
  );
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(-999.25),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }),
      fc.string({ maxLength: 6 }),
      fc.array(tie('value'), { maxLength: 3 }),
      fc
        .array(fc.tuple(key, tie('value')), { maxLength: 4 })
        // As a parser creates them: a key such as __proto__ is the object's own.
        .map((entries) =>
          parseJson(`{${entries.map(([k, v]) => `${JSON.stringify(k)}:${stringifyJson(v)}`).join(',')}}`),
        ),
    ),
  }));

  it('match their schema for any records, each path once, with shares in range, and a JSON example', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), (records) => {
        const { fields } = combineFields(time(), records);
        const count = records.filter(isObject).length;
        expect(new Set(fields.map(({ path }) => path)).size).toBe(fields.length);
        for (const field of fields) {
          datasetField.parse(field);
          const { nulls, absent, tokens = [], example } = field;
          if (count > 0) {
            expect((nulls ?? -1) >= 0 && (absent ?? -1) >= 0).toBe(true);
            expect((nulls ?? 0) + (absent ?? 0)).toBeLessThanOrEqual(1 + 1e-9);
            for (const { share } of tokens)
              expect(share > 0 && share <= 1 - (nulls ?? 0) - (absent ?? 0) + 1e-9).toBe(true);
          }
          if (example !== undefined) parseJson(example);
        }
      }),
    );
  });

  it('include every path of every record, and how many records have it', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), (records) => {
        const objects = records.filter(isObject);
        const fields = new Map(combineFields(time(), records).fields.map((field) => [field.path, field]));
        const keys = new Set(objects.flatMap((record) => Object.keys(record)));
        for (const path of keys) {
          const without = objects.filter((record) => !Object.hasOwn(record, path)).length;
          expect(fields.has(path)).toBe(true);
          // A key with a dot is the same path as a nested key.
          if (!path.includes('.'))
            expect(fields.get(path)?.absent).toBeLessThanOrEqual(without / objects.length);
        }
      }),
    );
  });
});
