import { describe, expect, test } from 'vitest';
import { cleanName, countFits, expectedIn, propose } from '../../../../src/main/core/mapping/proposals.ts';
import type { DatasetField } from '../../../../src/shared/datasets/fields.ts';
import { sureConfidence } from '../../../../src/shared/upload/proposals.ts';
import type { Inspection } from '../../../../src/shared/upload/upload.ts';
import { noSynonyms, type Synonyms } from '../../../../src/shared/channels/channels.ts';

type Column = Inspection['columns'][number];

const column = (name: string, more: Partial<Column> = {}): Column => ({
  name,
  unit: null,
  type: 'number',
  nulls: 0,
  min: 0,
  max: 40,
  ...more,
});
const field = (name: string, more: Partial<DatasetField> = {}): DatasetField => ({
  path: `data.${name}`,
  from: 'sample',
  types: ['number'],
  ...more,
});
const file = (...columns: Column[]) => ({ columns, index: null });

const matchOf = (one: Column, ...fields: DatasetField[]) =>
  propose(file(one), fields, 'time', noSynonyms).columns[0]?.match ?? null;
const selected = (columns: Column[], fields: DatasetField[], type: 'time' | 'depth' = 'time') =>
  Object.fromEntries(
    propose(file(...columns), fields, type, noSynonyms).columns.flatMap(({ column: key, match }) =>
      match && match.confidence >= sureConfidence ? [[key, match.field]] : [],
    ),
  );

describe('the field of a column', () => {
  test('is that of its mnemonic, with a unit conversion', () => {
    expect(matchOf(column('WOB (kN)'), field('weight_on_bit', { unit: 'klbf' }))).toEqual({
      field: 'data.weight_on_bit',
      why: 'mnemonic WOB',
      confidence: 0.95,
      unit: 'kN',
      fieldUnit: 'klbf',
      factor: expect.closeTo(1 / 4.4482216152605, 12),
    });
  });

  test('has no conversion when the unit of the field is unknown', () => {
    expect(matchOf(column('WOB (kN)'), field('weight_on_bit'))).toMatchObject({
      confidence: 0.95,
      unit: 'kN',
      fieldUnit: null,
      factor: null,
    });
  });

  test('is preferably the one with the same name', () => {
    expect(selected([column('Weight on Bit')], [field('weight_on_bit'), field('wobavg')])).toEqual({
      'Weight on Bit': 'data.weight_on_bit',
    });
  });

  test('isn’t selected when the unit measures something else', () => {
    expect(matchOf(column('Torque (psi)'), field('rotary_torque', { unit: 'ft·klbf' }))).toMatchObject({
      field: 'data.rotary_torque',
      confidence: 0.3,
      factor: null,
    });
  });

  test('isn’t selected for a mnemonic that can mean several channels', () => {
    expect(selected([column('CALI', { unit: 'in' })], [field('caliper', { unit: 'in' })])).toEqual({});
  });

  test('goes to the column in the field’s unit when two columns match', () => {
    const both = [column('WOB (kN)', { max: 150 }), column('WOB (klbs)')];
    expect(selected(both, [field('weight_on_bit', { unit: 'klbf' })])).toEqual({
      'WOB (klbs)': 'data.weight_on_bit',
    });
  });

  test('goes to neither of two equivalent columns', () => {
    expect(selected([column('HKLA'), column('Hook Load')], [field('hook_load_1'), field('hkld')])).toEqual(
      {},
    );
  });

  test('isn’t selected when values without a unit have another scale', () => {
    const one = column('WOBA', { max: 14_000 });
    expect(matchOf(one, field('weight_on_bit', { range: { min: 0, max: 30 } }))?.confidence).toBeLessThan(
      sureConfidence,
    );
  });

  test('has the same statistic as the column', () => {
    const fields = [field('rop_min'), field('rop_max'), field('rop_mean')];
    expect(selected([column('ROP_MAX'), column('ROP_AVG')], fields)).toEqual({
      ROP_MAX: 'data.rop_max',
      ROP_AVG: 'data.rop_mean',
    });
  });

  test('is suggested by a similar name and similar values', () => {
    const match = matchOf(
      column('hookload_static', { max: 200 }),
      field('hookload_stat_x', { range: { min: 0, max: 220 } }),
    );
    expect(match?.why).toContain('values 0 to 200');
    expect(match?.confidence).toBeLessThan(sureConfidence);
  });

  test('is never of another type, and never matched to an empty column', () => {
    expect(matchOf(column('WOB', { type: 'string', min: 'a', max: 'b' }), field('weight_on_bit'))).toBeNull();
    expect(
      matchOf(column('WOB', { type: 'empty', min: null, max: null }), field('weight_on_bit')),
    ).toBeNull();
  });
});

describe('the index of the records', () => {
  const measuredDepth: DatasetField = { path: 'measured_depth', from: 'type', types: ['number'] };
  const time = column('Time', { type: 'time', min: 'a', max: 'b' });

  test('is the only time column, or the measured depth', () => {
    expect(selected([time, column('WOB')], [], 'time')).toEqual({ Time: 'timestamp' });
    expect(selected([column('Depth(ft)'), column('WOB')], [], 'depth')).toEqual({
      'Depth(ft)': 'measured_depth',
    });
  });

  test('is the depth in the dataset’s unit', () => {
    const fields = [{ ...measuredDepth, unit: 'm' }];
    expect(selected([column('Depth(ft)'), column('Depth(m)')], fields, 'depth')).toEqual({
      'Depth(m)': 'measured_depth',
    });
    expect(selected([column('Depth(ft)'), column('Depth(m)')], [], 'depth')).toEqual({});
  });

  test('is converted into the unit of the field', () => {
    const unitFor = (depth: DatasetField) =>
      propose(file(column('DEPT (m)')), [depth], 'depth', noSynonyms).columns[0]?.match;
    expect(unitFor({ ...measuredDepth, unit: 'ft' })).toMatchObject({
      confidence: 0.95,
      unit: 'm',
      fieldUnit: 'ft',
    });
    expect(unitFor({ ...measuredDepth, unit: 'm' })).toMatchObject({ fieldUnit: 'm', factor: null });
    expect(unitFor(measuredDepth)).toMatchObject({ confidence: 0.95, fieldUnit: null });
  });

  test('is the column by which the file is ordered', () => {
    const columns = [column('DMEA'), column('WOB')];
    const sure = (inspected: Parameters<typeof propose>[0]) =>
      (propose(inspected, [], 'depth', noSynonyms).columns[0]?.match?.confidence ?? 0) >= sureConfidence;
    expect(sure({ columns, index: { name: 'DMEA', unit: 'ft', kind: 'depth' } })).toBe(true);
    expect(sure({ columns, index: null })).toBe(false);
  });

  test('is no vertical depth, although the file is ordered by it', () => {
    const orderedBy = (name: string, synonyms: Synonyms = noSynonyms) => {
      const index = { name, unit: 'm', kind: 'depth' } as const;
      const [first] = propose({ columns: [column(name)], index }, [field('tvd')], 'depth', synonyms).columns;
      return first?.match && first.match.confidence >= sureConfidence ? first.match.field : null;
    };
    expect(orderedBy('TVD')).toBe('data.tvd');
    expect(orderedBy('TVDSS')).toBeNull();
    expect(orderedBy('VDEPTH')).toBeNull();
    expect(orderedBy('Z', new Map([['z', 'tvd']]))).toBe('data.tvd');
    expect(orderedBy('Z')).toBe('measured_depth');
    const index = { name: 'DEPT', unit: 'm', kind: 'vertical_depth' } as const;
    const vertical = { columns: [column('DEPT'), column('MD')], index };
    const { columns } = propose(vertical, [field('tvd')], 'depth', noSynonyms);
    const sure = columns.filter(({ match }) => match && match.confidence >= sureConfidence);
    expect(sure).toMatchObject([{ column: 'MD', match: { field: 'measured_depth' } }]);
    expect(propose(vertical, [], 'time', noSynonyms).otherIndex).toBe('depth_file');
  });

  test('has a warning when a time file is matched to a depth dataset', () => {
    expect(propose(file(time), [], 'depth', noSynonyms).otherIndex).toBe('time_file');
    expect(propose(file(column('DEPT')), [], 'time', noSynonyms).otherIndex).toBe('depth_file');
    expect(propose(file(time), [], 'time', noSynonyms).otherIndex).toBeNull();
  });
});

describe('new fields', () => {
  test.each([
    ['WOB (k-lbs)', 'wob'],
    ['Flow Out %', 'flow_out_percent'],
    ['RigActivityCode', 'rig_activity_code'],
    ['a.b[c] $d', 'a_b_c_d'],
    ['Größe', 'größe'],
    ['(%)', 'column'],
  ])('%s is %s', (header, name) => {
    expect(cleanName(header)).toBe(name);
  });

  test('have the standard name of their channel, each once, with the unit when two would be equal', () => {
    const { columns } = propose(
      file(column('Pit Total (bbls)'), column('Pit Total (m3)'), column('x'), column('X')),
      [],
      'time',
      noSynonyms,
    );
    expect(columns.map(({ newField }) => newField)).toEqual([
      'data.active_pit_volume',
      'data.active_pit_volume_m3',
      'data.x',
      'data.x_2',
    ]);
  });
});

test('a dataset fits by the share of channels that match a field', () => {
  const columns = [
    column('WOB (klbs)'),
    column('WOB (kN)'),
    column('ROP'),
    column('Comment', { type: 'string' }),
  ];
  expect(
    countFits(file(...columns), [field('weight_on_bit'), field('hook_load')], 'time', noSynonyms),
  ).toEqual({
    fits: 0,
    of: 3,
  });
  expect(
    countFits(file(...columns), [field('weight_on_bit', { unit: 'klbf' }), field('rop')], 'time', noSynonyms),
  ).toEqual({ fits: 2, of: 3 });
});

const noStatistics = { size: null, storageSize: null, indexSize: null };

test.each([
  ['that is empty', 0, undefined, false],
  ['that is empty, if records can’t be read', 0, 'too_many_requests', false],
  ['of an unknown size', null, undefined, false],
  ['of an unknown size, if records can’t be read', null, 'too_many_requests', true],
  ['with records of which none were sampled', 9, undefined, true],
] as const)('a dataset %s', (_, count, code, isUnknown) => {
  const problem = code && { problem: { code, message: '', details: {} } };
  const read = { fields: [], sampled: 0, of: 'none' as const, scope: null, more: false, ...problem };
  const { storedUnits } = expectedIn(read, { type: 'time', statistics: { ...noStatistics, count } });
  expect('*' in storedUnits).toBe(isUnknown);
});
