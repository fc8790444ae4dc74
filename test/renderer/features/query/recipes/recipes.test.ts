import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  maxTexts,
  noFacts,
  type TableFacts,
} from '../../../../../src/renderer/features/query/recipes/recipe-needs.ts';
import {
  readRecipe,
  type RecipeChoices,
  recipeKinds,
} from '../../../../../src/renderer/features/query/recipes/recipes.ts';
import { startRecipe } from '../../../../../src/renderer/features/query/recipes/start-recipe.ts';
import { factsStatement, readFacts } from '../../../../../src/renderer/features/query/sql/table-facts.ts';
import type { SqlColumn, SqlTable } from '../../../../../src/shared/sql/sql.ts';
import { openSqlTables, type SqlRow } from '../../../../support/sql-tables.ts';
import { noSynonyms, type Synonyms, synonymsOf } from '../../../../../src/shared/channels/channels.ts';
import { recipeWords } from '../../../../../src/renderer/words/recipes.ts';

type Kind = RecipeChoices['kind'];
type Texts = RecipeChoices['texts'];
const context = { tables: [], facts: noFacts, synonyms: noSynonyms, wellNames: new Map() };

/** The fields of a recipe by their keys. */
const fieldsOf = (choices: RecipeChoices, change: Partial<Parameters<typeof readRecipe>[1]>) =>
  new Map(readRecipe(choices, { ...context, ...change }).fields.map((field) => [field.key, field]));

const columnsOf = (...columns: readonly (readonly [name: string, type: string])[]): SqlColumn[] =>
  columns.map(([name, type]) => ({ name, type, unit: null }));

it('a recipe takes the first table that fits it, and never the id of a record', () => {
  const about = { rows: 1, bytes: 1 } as unknown as SqlTable;
  const drilling = {
    ...about,
    name: 'drilling',
    columns: columnsOf(['_id', 'VARCHAR'], ['timestamp', 'TIMESTAMP'], ['data_hole_depth', 'DOUBLE']),
  };
  const wits = {
    ...about,
    name: 'wits_3',
    columns: [...drilling.columns, ...columnsOf(['data_state', 'VARCHAR'], ['asset_id', 'BIGINT'])],
  };
  const read = (kind: Kind, table = '') => fieldsOf({ kind, texts: { table } }, { tables: [drilling, wits] });
  expect(read('states').get('table')?.value).toBe('wits_3');
  expect(read('states').get('state')?.value).toBe('data_state');
  expect(read('days').get('table')?.value).toBe('drilling');
  // A table with depths is preferred, even if they are optional.
  const activities = {
    ...about,
    name: 'activities',
    columns: columnsOf(['time', 'TIMESTAMP'], ['state', 'VARCHAR']),
  };
  const periods = fieldsOf({ kind: 'periods', texts: {} }, { tables: [activities, wits] });
  expect(periods.get('table')?.value).toBe('wits_3');
  // The table that somebody selected stays, without a state rather than with the id.
  const states = read('states', 'drilling');
  expect([states.get('table')?.value, states.get('state')?.value]).not.toContain('_id');
});

const recordColumns = ['asset_id', 'metadata_asset_id', 'assetId', 'Well', 'data_well_name', 'UWI'];
const otherColumns = [
  'uidWell',
  'uidWellbore',
  'well_guid',
  'WELL_KEY',
  'WELL_NM',
  'asset_id_1',
  'offset_well',
];

it.each([...recordColumns, ...otherColumns, 'well_name_1', 'well2'])(
  'a recipe separates wells by %s, and not by what is measured at a wellhead',
  (well) => {
    const columns = columnsOf(
      ['wellhead_pressure', 'DOUBLE'],
      ['data_wellhead_pressure', 'DOUBLE'],
      ['well_offset', 'DOUBLE'],
      ['time', 'TIMESTAMP'],
    );
    const about = { ...tableOf('wits'), name: 'frac' };
    const read = (all: readonly SqlColumn[]) =>
      readRecipe(
        { kind: 'resampleAll', texts: {} },
        { ...context, tables: [{ ...about, columns: [...all] }] },
      );
    const [without, separated] = [read(columns), read([...columns, ...columnsOf([well, 'BIGINT'])])];
    const wellOf = ({ fields }: typeof without) => fields.find(({ key }) => key === 'well')?.value;
    expect([wellOf(without), wellOf(separated)]).toEqual(['', well]);
    expect(without.statement).toMatch(/avg\(wellhead_pressure\).*\n.*avg\(data_wellhead_pressure\)/);
    expect(separated.statement).not.toContain('avg("');
    expect(separated.statement).not.toContain(`avg(${well})`);
  },
);

const drilling = { connection: 'a', provider: 'demo', dataset: 'frac', type: 'time' };
const formations = { provider: 'demo', dataset: 'formation-tops', friendlyName: '', type: 'reference' };

/** Starts a recipe for the records of a query, of which a table is open. */
async function startOf(
  kind: Kind,
  value: string | null,
  {
    query = '{}',
    columns,
    ageMs = 1000,
    durationMs = 1000,
    jobs = [],
    topsTable,
    conditions = null,
  }: {
    readonly query?: string;
    readonly columns: readonly SqlColumn[];
    readonly ageMs?: number;
    readonly durationMs?: number;
    readonly jobs?: readonly object[];
    readonly topsTable?: SqlTable;
    readonly conditions?: string | null;
  },
) {
  const read: string[] = [];
  const addedAt = Date.now() - ageMs;
  const allOf = { ...drilling, query, addedAt, readAt: addedAt - durationMs };
  const open: SqlTable[] = [{ ...tableOf('wits'), columns: [...columns], allOf }];
  const start = {
    value,
    conditions,
    session: {
      connection: 'a',
      datasets: {
        store: { getState: () => ({ list: { status: 'loaded', value: [formations] } }) },
        actions: { scopeOf: () => 'asset_id' },
      },
      wells: { store: { getState: () => ({ list: { status: 'idle' } }) } },
    },
    tab: {
      dataset: drilling,
      actions: { boundFind: async () => ({ query }) },
      wells: () => [{ assetId: 5009 }],
    },
    app: {
      jobs: { store: { getState: () => ({ jobs }) } },
      settings: { store: { getState: () => ({ stored: {} }) } },
      sqlTables: {
        store: { getState: () => ({ tables: { status: 'loaded', value: open } }) },
        actions: {
          load: async () => {},
          facts: async () => noFacts,
          async addDataset({ query: added }: { readonly query: string }) {
            read.push(added);
            if (topsTable) open.push(topsTable);
            return topsTable ?? null;
          },
        },
      },
    },
  } as unknown as Parameters<typeof startRecipe>[1];
  const started = await startRecipe(kind, start, new AbortController().signal);
  return { read, statement: started?.statement };
}

it('a recipe of a column that its table lacks has its form instead of another column', async () => {
  const columns = columnsOf(
    ['timestamp', 'TIMESTAMP'],
    ['stage_number', 'BIGINT'],
    ['data_rate__bpm_', 'DOUBLE'],
    ['data_wellhead_pressure', 'DOUBLE'],
  );
  const statementOf = async (value: string) => (await startOf('average', value, { columns })).statement;
  expect(await statementOf('data.wellhead_pressure')).toContain('avg(data_wellhead_pressure)');
  expect(await statementOf('data.rate (bpm)')).toContain('avg(data_rate__bpm_)');
  expect(await statementOf('data.casing_pressure')).toBeNull();
  // A time can't be averaged.
  expect(await statementOf('timestamp')).toBeNull();
});

it.each([
  ['{ asset_id: 5001 }', '{ asset_id: 5001 }'],
  ['{"asset_id":{"$in":[5001,5002]},"data.rop":{"$gt":0}}', '{ asset_id: { $in: [5001, 5002] } }'],
  ['{}', '{}'],
])('the tops for the records of %s are those of %s, not of the selected wells', async (query, expected) => {
  const columns = columnsOf(['asset_id', 'BIGINT'], ['data_hole_depth', 'DOUBLE'], ['data_rop', 'DOUBLE']);
  expect((await startOf('tops', null, { query, columns })).read).toEqual([expected]);
});

it('a recipe reads records again that are older than minutes, or than an upload to their dataset', async () => {
  const columns = columnsOf(['timestamp', 'TIMESTAMP'], ['data_rop', 'DOUBLE']);
  const upload = { kind: 'upload', address: drilling, updated: new Date().toISOString() };
  const readFor = async (change: object) => (await startOf('average', null, { columns, ...change })).read;
  expect(await readFor({})).toEqual([]);
  expect(await readFor({ durationMs: 86_400_000 })).toEqual([]);
  expect(await readFor({ ageMs: 86_400_000 })).toEqual(['{}']);
  expect(await readFor({ jobs: [upload] })).toEqual(['{}']);
  expect(await readFor({ jobs: [{ ...upload, kind: 'export' }] })).toEqual([]);
});

it('a recipe of a result in view reads its records, whatever is typed', async () => {
  const columns = columnsOf(['timestamp', 'TIMESTAMP'], ['data_rop', 'DOUBLE']);
  const conditions = '{ asset_id: 5002 }';
  expect((await startOf('average', null, { columns, conditions })).read).toEqual([conditions]);
});

it('a recipe with tops shows its form if wells or units of one table only are known, or no tops', async () => {
  const [records, topsTable] = [tableOf('wits').columns, tableOf('tops')];
  const statementOf = async (change: object) =>
    (await startOf('tops', null, { columns: records, topsTable, ...change })).statement;
  expect(await statementOf({})).toContain('ASOF LEFT JOIN');
  expect(await statementOf({ topsTable: undefined })).toBeNull();
  expect(await statementOf({ topsTable: tableOf('tops', {}) })).toBeNull();
  const ofOneWell = { ...topsTable, columns: topsTable.columns.slice(1) };
  expect(await statementOf({ topsTable: ofOneWell })).toBeNull();
});

const start = Date.UTC(2026, 0, 1);
const stateOf = (minute: number) =>
  minute % 20 < 15 ? 'Rotary Drilling' : minute % 20 < 17 ? 'In Slips' : 'Static';
const wits = [5001, 5002].flatMap((well) =>
  Array.from({ length: 120 }, (_, at) => {
    const hole = 1000 + at;
    const state = stateOf(at);
    return {
      asset_id: well,
      timestamp: start + at * 60_000,
      data_hole_depth: hole,
      data_bit_depth: state === 'Rotary Drilling' ? hole : hole - 30,
      data_rop: at,
      data_state: state,
    };
  }),
);
const tops = [5001, 5002].flatMap((well) => [
  { asset_id: well, data_md: 300, data_formation_name: 'Rustler' },
  { asset_id: well, data_md: 330, data_formation_name: 'Salado' },
]);
/** As in a file of tops, which has names of wells. */
const namedTops = [
  { Well: 'Ridge A-101H', MD: 330, Formation: 'Salado' },
  { Well: 'RIDGE B-102H ', MD: 300, Formation: 'Rustler' },
  { Well: 'Elsewhere 1', MD: 10, Formation: 'Surface' },
];
const wellNames = new Map([
  ['5001', 'Ridge A-101H'],
  ['5002', 'Ridge B-102H'],
  ['5003', "O'Neil 3"],
]);
const stations = [0, 10, 20].map((inclination, at) => ({
  measured_depth: at * 100,
  inclination,
  azimuth: 45,
  note: 'a',
}));
const surveys = [5001, 5002].map((well) => ({
  asset_id: well,
  data_name: 'MWD [{',
  data_stations: JSON.stringify(stations),
}));
const types = {
  wits: {
    asset_id: 'BIGINT',
    timestamp: 'time',
    data_hole_depth: 'DOUBLE',
    data_bit_depth: 'DOUBLE',
    data_rop: 'DOUBLE',
    data_state: 'VARCHAR',
  },
  tops: { asset_id: 'BIGINT', data_md: 'DOUBLE', data_formation_name: 'VARCHAR' },
  named_tops: { Well: 'VARCHAR', MD: 'DOUBLE', Formation: 'VARCHAR' },
  named_log: { Well: 'VARCHAR', data_hole_depth: 'DOUBLE', data_rop: 'DOUBLE' },
  decimal_log: { asset_id: 'DOUBLE', data_state: 'VARCHAR', data_hole_depth: 'DOUBLE', data_rop: 'DOUBLE' },
  surveys: { asset_id: 'BIGINT', data_name: 'VARCHAR', data_stations: 'VARCHAR' },
} as const;
type Name = keyof typeof types;
const units: Readonly<Record<string, string>> = {
  data_hole_depth: 'ft',
  data_bit_depth: 'ft',
  data_rop: 'ft/h',
  data_md: 'm',
};

function tableOf(name: Name, unitOf = units): SqlTable {
  const columns = Object.entries(types[name]).map(([column, type]): SqlColumn => ({
    name: column,
    type: type === 'time' ? 'TIMESTAMP WITH TIME ZONE' : type,
    unit: unitOf[column] ?? null,
  }));
  return { name, origin: 'answer', label: name, columns, rows: 1, total: null, keepsNulls: false, notes: [] };
}

let engine: Awaited<ReturnType<typeof openSqlTables>>;
beforeAll(async () => {
  engine = await openSqlTables({
    wits: { records: wits, types: types.wits },
    tops: { records: tops, types: types.tops },
    surveys: { records: surveys, types: types.surveys },
    named_tops: { records: namedTops, types: types.named_tops },
    named_log: {
      records: wits.map(({ asset_id: id, ...rest }) => ({
        ...rest,
        Well: id === 5001 ? 'RIDGE A-101H' : 'Ridge B-102H',
      })),
      types: types.named_log,
    },
    decimal_log: { records: wits, types: types.decimal_log },
  });
});
afterAll(() => engine.close());

async function factsOf(name: Name): Promise<TableFacts> {
  const columns = Object.entries(types[name]).flatMap(([column, type]) =>
    type === 'VARCHAR' || type === 'BIGINT' ? [column] : [],
  );
  return readFacts(columns, await engine.run(factsStatement(name, columns)));
}

async function write(kind: Kind, name: Name, texts: Texts = {}, others = [tableOf('tops')]) {
  const tables = [tableOf(name), ...others.filter((other) => other.name !== name)];
  const facts = await factsOf(name);
  const choices = { kind, texts: { ...texts, table: name } };
  return readRecipe(choices, { tables, facts, synonyms: noSynonyms, wellNames }).statement;
}

describe('a recipe', () => {
  const rowsOf: Readonly<Record<Kind, [Name, number]>> = {
    resample: ['wits', 240],
    resampleAll: ['wits', 240],
    states: ['wits', 6],
    periods: ['wits', 36],
    connections: ['wits', 10],
    tops: ['wits', 4],
    daily: ['wits', 2],
    days: ['wits', 4],
    path: ['surveys', 6],
    list: ['surveys', 6],
    join: ['wits', 240],
    pivot: ['wits', 120],
    average: ['wits', 240],
    top: ['wits', 10],
  };
  const times: SqlTable = { ...tableOf('wits'), name: 'wits_too' };

  it('joins a table with ids of wells to one with their names, in any case', async () => {
    const statement = await write('tops', 'wits', { other: 'named_tops' }, [tableOf('named_tops')]);
    const rows = await engine.run(statement ?? '');
    const tops = new Map(rows.map((row) => [Number(row['asset_id']), row['Formation']]));
    expect(new Set(rows.map((row) => row['Formation']).filter(Boolean))).toEqual(
      new Set(['Salado', 'Rustler']),
    );
    for (const row of rows)
      if (row['Formation'] !== null)
        expect(row['Formation']).toBe(row['asset_id'] === 5001 ? 'Salado' : 'Rustler');
    expect(tops.size).toBe(2);
    // Only wells of the table are in the statement.
    expect(statement).not.toContain('neil');
  });

  it('joins two tables with names of wells in any case, and one whose ids are decimals', async () => {
    const formations = async (name: Name, other: Name) => {
      const statement = await write('tops', name, { other }, [tableOf(other)]);
      const rows = await engine.run(statement ?? '');
      return new Set(rows.map((row) => row['Formation']).filter(Boolean));
    };
    const both = new Set(['Rustler', 'Salado']);
    expect(await formations('named_log', 'named_tops')).toEqual(both);
    expect(await formations('decimal_log', 'named_tops')).toEqual(both);
  });

  it.each([0, maxTexts])('joins all wells by their names if %d texts of their column are known', (count) => {
    const texts = Array.from({ length: count }, (_, at) => String(5001 + at));
    const all = new Map(Array.from({ length: 40 }, (_, at) => [String(5001 + at), `Well ${at}`]));
    const { statement } = readRecipe(
      { kind: 'tops', texts: { table: 'wits', other: 'named_tops' } },
      {
        ...context,
        tables: [tableOf('wits'), tableOf('named_tops')],
        facts: { lists: {}, texts: { asset_id: texts } },
        wellNames: all,
      },
    );
    expect(statement?.match(/ WHEN /g)).toHaveLength(all.size);
  });

  it.each(recipeKinds)('%s runs with what it proposes for two wells', async (kind) => {
    const [name, count] = rowsOf[kind];
    const statement = await write(kind, name, {}, kind === 'join' ? [times] : undefined);
    expect(statement).not.toBeNull();
    if (kind === 'join') return;
    expect(await engine.run(statement ?? '')).toHaveLength(count);
  });

  it('takes hole depth, bit depth, and the state of slips for connections', async () => {
    const rows = await engine.run((await write('connections', 'wits')) ?? '');
    expect(new Set(rows.map((row: SqlRow) => row['slip_to_slip_minutes']))).toEqual(new Set([2]));
    expect(new Set(rows.map((row: SqlRow) => row['weight_to_weight_minutes']))).toEqual(new Set([5]));
  });

  it('converts tops to the unit of the depths, and writes nothing if they measure different things', async () => {
    const rows = await engine.run((await write('tops', 'wits')) ?? '');
    // 330 m are 1082.68 ft.
    expect(rows.map((row: SqlRow) => row['depth_from'])).toEqual([1000, 1083, 1000, 1083]);
    const wrong = tableOf('tops', { ...units, data_md: 'psi' });
    expect(await write('tops', 'wits', {}, [wrong])).toBeNull();
  });

  it('has columns for the values of any column, or for those that are typed', async () => {
    const byWell = await engine.run((await write('pivot', 'wits')) ?? '');
    expect(Object.keys(byWell[0] ?? {}).toSorted()).toEqual([
      'data_rop_max_5001',
      'data_rop_max_5002',
      'data_rop_mean_5001',
      'data_rop_mean_5002',
      'data_rop_min_5001',
      'data_rop_min_5002',
      'interval_start',
    ]);
    const byStateTexts = { rowsBy: 'asset_id', columnsBy: 'data_state', function: 'count' };
    const byState = await engine.run((await write('pivot', 'wits', byStateTexts)) ?? '');
    expect(byState).toEqual(
      [5001, 5002].map((well) => ({
        asset_id: well,
        'data_rop_In Slips': 12,
        'data_rop_Rotary Drilling': 90,
        data_rop_Static: 18,
      })),
    );
    expect(await write('pivot', 'wits', { ...byStateTexts, values: 'Static, Tripping' })).toMatch(
      /= 'Static'\).*\n.*= 'Tripping'\)/,
    );
  });

  it('has a row for each stage, and intervals of depths', async () => {
    const table = tableOf('wits');
    const stage = { name: 'stage_number', type: 'BIGINT', unit: null };
    const of = (rowsBy: string): string | null => {
      const facts = { lists: {}, texts: { asset_id: ['5001'] } };
      const tables = [{ ...table, columns: [...table.columns, stage] }];
      const choices = { kind: 'pivot', texts: { rowsBy, columnsBy: 'asset_id' } } as const;
      return readRecipe(choices, { ...context, tables, facts }).statement;
    };
    expect(of('stage_number')).toMatch(/^SELECT stage_number,/);
    expect(of('data_hole_depth')).toContain('AS depth_from');
  });

  it('names values that a column doesn’t have, once all of its values are known', () => {
    const texts = { rowsBy: 'data_hole_depth', columnsBy: 'asset_id', values: '5001\t5003' };
    const notFound = (known: readonly string[]) => {
      const facts = { lists: {}, texts: { asset_id: known } };
      return fieldsOf({ kind: 'pivot', texts }, { tables: [tableOf('wits')], facts }).get('values')?.notFound;
    };
    expect(notFound(['5001', '5002'])).toEqual(['5003']);
    expect(notFound([])).toEqual([]);
    expect(notFound(Array.from({ length: maxTexts }, (_, at) => `${at}`))).toEqual([]);
  });

  it('takes the azimuth of the last station for the section, or that which is typed', async () => {
    expect(await write('path', 'surveys')).toContain(
      'arg_max(azimuth, md) FILTER (azimuth BETWEEN -360 AND 360) OVER (PARTITION BY asset_id)',
    );
    const withAzimuth = (section: string) => write('path', 'surveys', { section });
    expect(await withAzimuth('12.5')).toContain('north * cos(radians(12.5)) + east * sin(radians(12.5))');
    expect(await withAzimuth('north')).toBeNull();
  });

  it('asks for the columns of a survey in a table that names none, instead of taking others', async () => {
    const wellpathOf = (texts: Texts) => write('path', 'wits', texts);
    expect(await wellpathOf({})).toBeNull();
    expect(await wellpathOf({ inclination: 'data_rop' })).toBeNull();
    expect(await wellpathOf({ inclination: 'data_rop', azimuth: 'data_rop' })).toContain('data_hole_depth');
  });

  it('finds columns by names that the user has added', () => {
    const columns = ['x', 'Bohrfortschritt'].map((name) => ({ name, type: 'DOUBLE', unit: null }));
    const tables = [{ ...tableOf('wits'), columns }];
    const chosenValue = (synonyms: Synonyms) =>
      fieldsOf({ kind: 'resample', texts: {} }, { tables, synonyms }).get('value')?.value;
    expect(chosenValue(noSynonyms)).toBe('x');
    expect(chosenValue(synonymsOf({ rop: ['Bohrfortschritt'] }))).toBe('Bohrfortschritt');
  });

  it('keeps the logs of a well apart', () => {
    const columns = columnsOf(
      ['asset_id', 'BIGINT'],
      ['log_identifier', 'VARCHAR'],
      ['measured_depth', 'DOUBLE'],
      ['data_gamma', 'DOUBLE'],
    );
    const tables = [{ ...tableOf('wits'), columns }];
    const texts = { table: 'wits', order: 'measured_depth', index: 'measured_depth' };
    const statementOf = (kind: Kind) => readRecipe({ kind, texts }, { ...context, tables }).statement;
    expect(statementOf('average')).toContain('PARTITION BY asset_id, log_identifier ORDER BY measured_depth');
    expect(statementOf('top')).toContain('PARTITION BY asset_id, log_identifier ORDER BY');
    expect(statementOf('resampleAll')).toMatch(/^SELECT asset_id,\s+log_identifier,/);
  });

  it('orders and steps rows by a time or a depth, and asks for a column where none is named so', () => {
    const statementOf = (kind: Kind, ...depths: readonly string[]) => {
      const columns = columnsOf(
        ['company_id', 'BIGINT'],
        ['stage', 'BIGINT'],
        ...depths.map((name) => [name, 'DOUBLE'] as const),
        ['data_gamma', 'DOUBLE'],
      );
      const texts = { table: 'wits', value: 'data_gamma' };
      return readRecipe({ kind, texts }, { ...context, tables: [{ ...tableOf('wits'), columns }] }).statement;
    };
    expect(statementOf('average', 'measured_depth')).toContain('ORDER BY measured_depth');
    expect(statementOf('average')).toBeNull();
    expect(statementOf('resampleAll', 'measured_depth')).toContain('depth_from');
    expect(statementOf('resampleAll')).toBeNull();
  });

  it('names the units of the numbers that are typed', () => {
    const labelOf = (kind: Kind, key: string, texts: Texts = {}) =>
      fieldsOf({ kind, texts: { ...texts, table: 'wits' } }, { tables: [tableOf('wits')] }).get(key)?.label;
    const { textIn, texts } = recipeWords;
    expect(labelOf('connections', 'tolerance')).toBe(textIn(texts.tolerance, 'ft'));
    expect(labelOf('connections', 'maxGap')).toBe(textIn(texts.maxGap, 's'));
    expect(labelOf('path', 'per')).toBe(textIn(texts.per, 'ft'));
    expect(labelOf('average', 'rows')).toBe(texts.rows);
    const index = { index: 'data_hole_depth' };
    expect(labelOf('resampleAll', 'depthStep', index)).toBe(textIn(texts.depthStep, 'ft'));
    expect(labelOf('resampleAll', 'step', index)).toBeUndefined();
    expect(labelOf('resampleAll', 'depthStep')).toBeUndefined();
    const rowsBy = { rowsBy: 'data_bit_depth' };
    expect(labelOf('pivot', 'depthStep', rowsBy)).toBe(textIn(texts.depthStep, 'ft'));
  });

  it('has the dogleg of a list by the unit of its depths', () => {
    const perOf = (unit: string) => {
      const column = { name: 'stations', type: 'VARCHAR', unit: null, itemUnits: { md: unit } };
      const surveys = { ...tableOf('wits'), name: 'listed', columns: [column] };
      const lists = { stations: ['md', 'inc', 'azi'].map((name) => ({ name, type: 'DOUBLE' })) };
      const facts = { lists, texts: {} };
      const per = fieldsOf({ kind: 'path', texts: {} }, { tables: [surveys], facts }).get('per');
      return [per?.placeholder, per?.label];
    };
    const { textIn, texts } = recipeWords;
    expect(perOf('m')).toEqual(['30', textIn(texts.per, 'm')]);
    expect(perOf('ft')).toEqual(['100', textIn(texts.per, 'ft')]);
  });

  it('resamples by depth if the index is a depth', async () => {
    const statement = await write('resampleAll', 'wits', { index: 'data_hole_depth' });
    expect(await engine.run(statement ?? '')).toHaveLength(24);
  });

  it('finds lists and texts of a table, and no list in a text that looks like one', async () => {
    expect(await factsOf('surveys')).toEqual({
      lists: {
        data_stations: [
          { name: 'measured_depth', type: 'DOUBLE' },
          { name: 'inclination', type: 'DOUBLE' },
          { name: 'azimuth', type: 'DOUBLE' },
          { name: 'note', type: 'VARCHAR' },
        ],
      },
      texts: {
        asset_id: expect.arrayContaining(['5001', '5002']),
        data_name: ['MWD [{'],
        data_stations: [expect.any(String)],
      },
    });
    expect(new Set((await factsOf('wits')).texts['data_state'])).toEqual(
      new Set(['Rotary Drilling', 'In Slips', 'Static']),
    );
  });
});
