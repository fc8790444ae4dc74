import { basename } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { UploadPlan } from '../../../../src/main/core/mapping/upload-plan.ts';
import type { JobStore } from '../../../../src/main/core/jobs/store.ts';
import type { Services } from '../../../../src/main/core/wire/services/services.ts';
import { originOf } from '../../../../src/main/core/mapping/plan-upload.ts';
import { createValidation } from '../../../../src/main/core/mapping/validation.ts';
import { matchRequest } from '../../../../src/shared/upload/preview.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';
import { fileWith } from '../../features/upload/support/files.ts';
import { inProcessThread, planOf, readingWith } from '../../features/upload/support/uploads.ts';
import { sheetRow, workbook } from '../../features/upload/support/workbooks.ts';

const servers = useServers();
const services = useServices();
let open: Services;
beforeEach(async () => {
  const server = await servers.http(({ url }) =>
    url.pathname.includes('/wells')
      ? { data: [] }
      : { provider: 'p', name: 'd', data_type: 'time', type: 'time' },
  );
  open = services(server.url);
});

const header = 'When,Well,ROP,Spud';
const rejects = { path: '/r/rig.rejects.csv', name: 'rig.rejects.csv' };
const columns = [...header.split(','), 'rejected_line', 'rejected_code', 'rejected_message'].map((name) => ({
  name,
  key: name,
  unit: null,
}));

/** A store with the job of a plan, whose rejects file is at a path. */
const storeWith = (plan: UploadPlan, path: string): JobStore => {
  const summary = {
    file: 'rig.csv',
    address: { provider: 'p', dataset: 'd' },
    artifacts: [{ kind: 'rejects', path }],
  };
  const jobs = [{ id: 'job-0001', kind: 'upload', summary }];
  return {
    related: async () => jobs,
    plan: async () => plan,
    claimant: async () => undefined,
  } as unknown as JobStore;
};

/** A store with the jobs of plans, each of which wrote a rejects file with the name of a file to a folder of its own. */
const storeWithAll = (plans: readonly UploadPlan[], file: string): JobStore => {
  const jobs = plans.map((_, at) => ({
    id: `job-000${at + 1}`,
    kind: 'upload',
    summary: {
      file: 'rig.csv',
      address: { provider: 'p', dataset: 'd' },
      artifacts: [{ kind: 'rejects', path: `/r/${at + 1}/${basename(file)}` }],
    },
  }));
  return {
    related: async () => jobs,
    plan: async (id: string) => plans[Number(id.at(-1)) - 1],
    claimant: async () => undefined,
  } as unknown as JobStore;
};

it('a copy of rejected rows is of no upload if several with other choices wrote a file with its name', async () => {
  const plan = await planOf(await fileWith(`${header}\n1,5001,1,x\n`), open, {
    mapping: { columns: { When: { to: 'timestamp', format: 'unix_s' }, Well: { to: 'asset_id' } } },
  });
  const of = async (path: string, second: typeof plan) => {
    const store = storeWithAll([plan, second], rejects.path);
    return (await originOf({ ...rejects, path }, { columns }, store))?.job;
  };
  const otherWell = { ...plan, mapping: { ...plan.mapping, constants: { asset_id: 5002 } } };
  expect(await of('/desktop/rig.rejects.csv', plan)).toBe('job-0002');
  expect(await of('/desktop/rig.rejects.csv', otherWell)).toBeUndefined();
  expect(await of('/desktop/rig.rejects.csv', { ...plan, existing: 'skip' })).toBeUndefined();
  expect(await of('/r/1/rig.rejects.csv', otherWell)).toBe('job-0001');
});

it('rejected rows are read as all rows of their file were, although they alone are ambiguous', async () => {
  const mapping = {
    columns: {
      When: { to: 'timestamp' },
      Well: { to: 'asset_id' },
      Spud: { to: 'data.spud', format: 'd.M.yyyy' },
    },
    rest: 'data',
  };
  const rows = ['03/04/2026 10:00,5001,x,1.2.2026', '03/04/2026 10:01,5002,7.5,1.2.2026'];
  const others = Array.from({ length: 300 }, (_, n) => `03/25/2026 10:00,${5001 + (n % 2)},${n}.5,1.2.2026`);
  const plan = await planOf(await fileWith([header, ...rows, ...others].join('\n')), open, { mapping });
  const store = storeWith(plan, rejects.path);
  const origin = await originOf(rejects, { columns }, store);
  expect(origin?.connection).toBe(plan.connection.id);
  expect(origin?.mapping?.columns).toEqual({
    When: { to: 'timestamp', format: 'M/d/yyyy H:mm', zone: 'UTC' },
    Well: { to: 'asset_id' },
    ROP: { to: 'data.ROP', type: 'number' },
    Spud: { to: 'data.spud', format: 'd.M.yyyy', zone: 'UTC' },
  });
  const again = async (given: unknown) =>
    (await planOf(await fileWith([header, rows[0]].join('\n')), open, { mapping: given })).rules.columns;
  await expect(again(mapping)).rejects.toMatchObject({ code: 'invalid_input' });
  expect((await again(origin?.mapping)).map(({ conversion }) => conversion)).toEqual(
    plan.rules.columns.map(({ conversion }) => conversion),
  );
});

it('columns that an upload left out are left out of its rejected rows, whatever happens to the rest there', async () => {
  const names = 'Date,Clock,ROP,note,rejected_line';
  const mapping = {
    columns: { Date: { to: 'timestamp', join: ['Clock'] }, ROP: { to: 'data.rop' } },
    constants: { asset_id: 5001 },
    rest: 'skip',
  };
  const plan = await planOf(await fileWith(`${names}\n2026-01-02,03:04:05,1,x,7\n`), open, { mapping });
  const origin = await originOf(rejects, { columns }, storeWith(plan, rejects.path));
  expect(origin?.mapping?.skip).toEqual(['note']);
});

it('rejected rows of a survey have their texts and fields where its records have them, with the mapping or that of the upload', async () => {
  const names = 'Survey,MD,note,stage_number';
  const constants = { asset_id: 5001, timestamp: 1_700_000_000_000 };
  const mapping = { constants, rest: 'data', fold: { by: 'Survey' } };
  const last = ['B-2,1,gyro,1', 'B-2,2,gyro,1'];
  const text = [names, 'A-1,1,gyro,1', 'A-1,2,mwd,2', ...last].join('\n');
  const plan = await planOf(await fileWith(text), open, { mapping });
  const added = ',rejected_line,rejected_code,rejected_message';
  const path = await fileWith([`${names}${added}`, ...last.map((row) => `${row},4,x,x`)].join('\n'));
  const store = storeWith(plan, path);
  const rulesOf = ({ rules }: UploadPlan) =>
    rules.columns.map(({ path: to, conversion }) => [to.join('.'), conversion.kind]);
  expect(rulesOf(plan)).toEqual([
    ['data.Survey', 'string'],
    ['data.stations.MD', 'number'],
    ['data.stations.note', 'string'],
    ['data.stations.stage_number', 'integer'],
  ]);
  const wanted = { mapping, existing: 'skip' } as const;
  expect(rulesOf(await planOf(path, open, wanted, 'path', store))).toEqual(rulesOf(plan));
  const layout = { columns: [...plan.layout.columns, ...columns.slice(-3)] };
  const origin = await originOf({ path, name: basename(path) }, layout, store);
  expect(rulesOf(await planOf(path, open, { mapping: origin?.mapping }))).toEqual(rulesOf(plan));
});

it('rejected rows of a file whose blank wells a constant fills keep their own wells', async () => {
  const names = 'timestamp,asset_id,ROP';
  const mapping = { constants: { asset_id: 5001 }, rest: 'data' };
  const rows = ['1700000000000,,1', '1700000001000,5002,2'];
  const plan = await planOf(await fileWith([names, ...rows].join('\n')), open, { mapping });
  const store = storeWith(plan, rejects.path);
  const origin = await originOf(rejects, { columns }, store);
  const path = await fileWith([names, rows[1]].join('\n'));
  const again = await planOf(path, open, { mapping: origin?.mapping });
  expect(again.rules.columns).toEqual(plan.rules.columns);
});

it('rejected rows keep their wells with the constant of their upload; another one contradicts them', async () => {
  const names = 'timestamp,asset_id,ROP';
  const withWell = (well: number) => ({ constants: { asset_id: well }, rest: 'data' });
  const rows = '1700000000000,,1\n1700000001000,5002,2';
  const plan = await planOf(await fileWith(`${names}\n${rows}`), open, { mapping: withWell(5001) });
  const path = await fileWith(
    `${names},rejected_line,rejected_code,rejected_message\n1700000001000,5002,2,3,x,x\n`,
  );
  const again = async (well: number) =>
    planOf(path, open, { mapping: withWell(well), existing: 'skip' }, 'path', storeWith(plan, path));
  expect((await again(5001)).rules.columns).toEqual(plan.rules.columns);
  await expect(again(1001)).rejects.toMatchObject({
    code: 'invalid_input',
    details: { issues: [{ place: { field: 'mapping.constants.asset_id' } }] },
  });
});

it('words in a column of numbers are rejected again in a file of rejected rows, with the mapping of its upload', async () => {
  const names = 'timestamp,asset_id,ROP,crew';
  const mapping = { columns: { ROP: { to: 'data.rop' } }, rest: 'data' };
  const others = Array.from({ length: 300 }, (_, n) => `17000000${100 + n}000,5001,${n}.5,A`);
  const rows = ['1700000000000,5001,n.d.,A', '1700000001000,5001,n.d.,A'];
  const plan = await planOf(await fileWith([names, ...rows, ...others].join('\n')), open, { mapping });
  const added = ',rejected_line,rejected_code,rejected_message';
  const path = await fileWith([`${names}${added}`, ...rows.map((row) => `${row},2,x,x`)].join('\n'));
  const store = storeWith(plan, path);
  const ropOf = async (columns: unknown = mapping.columns) => {
    const { rules } = await planOf(
      path,
      open,
      { mapping: { ...mapping, columns }, existing: 'skip' },
      'path',
      store,
    );
    return rules.columns.find(({ column }) => column === 'ROP')?.conversion.kind;
  };
  expect(await ropOf()).toBe('number');
  expect(await ropOf({ ROP: { to: 'data.rop', type: 'string' } })).toBe('string');
  expect(await ropOf({ ROP: { to: 'data.rop', type: 'auto' } })).toBe('string');
  expect(await ropOf({ ROP: { to: 'data.remark' } })).toBe('string');
});

it('a copy of rejected rows has the units of all uploads that wrote a file with its name, or a warning if they differ', async () => {
  const head = 'timestamp,Load\n,kN';
  const mapping = (well: number) => ({ constants: { asset_id: well }, rest: 'data' });
  const planWith = async (text: string, well: number) =>
    planOf(await fileWith(`${text}\n1700000000000,1.5\n`), open, { mapping: mapping(well) });
  const first = await planWith(head, 5001);
  const copy = await fileWith(
    'timestamp,Load,rejected_line,rejected_code,rejected_message\n1700000000000,1,2,x,x\n',
  );
  const again = async (second: UploadPlan) => {
    const store = storeWithAll([first, second], copy);
    const plan = await planOf(copy, open, { mapping: mapping(5002), existing: 'skip' }, 'path', store);
    const isUnclear = plan.warnings.some(({ code }) => code === 'rejects_unclear');
    return [plan.layout.columns[1]?.unit, isUnclear, plan.parent];
  };
  expect(await again(await planWith(head, 5002))).toEqual(['kN', false, undefined]);
  expect(await again(await planWith(head.replace('kN', 'klbf'), 5002))).toEqual([null, true, undefined]);
  expect(await again(first)).toEqual(['kN', false, { job: 'job-0002', file: 'rig.csv' }]);
  const other = await planWith('timestamp,Load,Hook\n,klbf,klbf', 5002);
  expect(await again(other)).toEqual(['kN', false, { job: 'job-0001', file: 'rig.csv' }]);
});

it('a copy of rejected rows has a warning if uploads with its name have a column in different places', async () => {
  const names = 'Survey,MD,note';
  const constants = { asset_id: 5001, timestamp: 1_700_000_000_000 };
  const mapping = { constants, rest: 'data', fold: { by: 'Survey' } };
  const plans = await Promise.all(
    ['gyro', 'mwd'].map(async (note) =>
      planOf(await fileWith(`${names}\nA-1,1,gyro\nA-1,2,${note}\n`), open, { mapping }),
    ),
  );
  const copy = await fileWith(`${names},rejected_line,rejected_code,rejected_message\nA-1,1,gyro,2,x,x\n`);
  const again = async (of: readonly UploadPlan[]) =>
    planOf(copy, open, { mapping, existing: 'skip' }, 'path', storeWithAll(of, copy));
  for (const plan of plans) expect((await again([plan, plan])).rules.columns).toEqual(plan.rules.columns);
  expect((await again(plans)).warnings.map(({ code }) => code)).toContain('rejects_unclear');
});

it('rejected rows whose upload isn’t found have a warning that only they say their units', async () => {
  const mapping = { constants: { asset_id: 5001 }, rest: 'data' };
  const warningsOf = async (content: string, plan?: UploadPlan) => {
    const path = await fileWith(content);
    const store = plan && storeWith(plan, '/r/rig.rejects.csv');
    const { warnings, layout } = await planOf(path, open, { mapping }, 'path', store);
    return [layout.columns[1]?.unit, warnings.map(({ code }) => code)];
  };
  const plan = await planOf(await fileWith('timestamp,Load\n,kN\n1700000000000,1.5\n'), open, { mapping });
  const row = 'timestamp,Load,rejected_line,rejected_code,rejected_message\n1700000000000,1,2,x,x\n';
  for (const other of [plan, undefined])
    expect(await warningsOf(row, other)).toEqual([null, expect.arrayContaining(['rejects_unclear'])]);
  expect((await warningsOf('timestamp,Load\n1700000000000,1\n'))[1]).not.toContain('rejects_unclear');
});

it('a copy of rejected rows has all that the uploads with its name agree on, whatever the zones of their wells', async () => {
  const names = 'timestamp,Load,Run';
  const rows = ['03/04/2026 10:00,1.5,1', '03/25/2026 10:00,2,3A'];
  const mapping = (zone?: string) => ({
    columns: { timestamp: { to: 'timestamp', ...(zone && { zone }) } },
    constants: { asset_id: 5001 },
    rest: 'data',
  });
  const text = [names, ',kN,', ...rows].join('\n');
  const plans = await Promise.all(
    ['UTC-6', 'UTC-7'].map(async (zone) => planOf(await fileWith(text), open, { mapping: mapping(zone) })),
  );
  const copy = await fileWith(`${names},rejected_line,rejected_code,rejected_message\n${rows[0]},3,x,x\n`);
  const store = storeWithAll(plans, copy);
  const again = await planOf(copy, open, { mapping: mapping(), existing: 'skip' }, 'path', store);
  expect(again.layout.columns[1]?.unit).toBe('kN');
  expect(again.rules.columns.map(({ conversion }) => conversion)).toMatchObject([
    { kind: 'time', format: 'M/d/yyyy H:mm', zone: 'UTC' },
    { kind: 'number' },
    { kind: 'string' },
  ]);
  expect(again.warnings.map(({ code }) => code)).toContain('rejects_unclear');
});

it('rejected rows of a workbook have its numbers as they are stored, whatever its texts have', async () => {
  const names = ['Depth', 'Rate'];
  const rows = [2.453, 3.125].map((depth) => [depth, '12,5']);
  const sheets = { A: [names, ...rows].map((cells, at) => sheetRow(at + 1, cells)).join('') };
  const mapping = { constants: { asset_id: 5001, timestamp: 1_700_000_000_000 }, rest: 'data' };
  const plan = await planOf(await fileWith(workbook({ sheets }), 'rates.xlsx'), open, { mapping });
  const added = 'rejected_line,rejected_code,rejected_message';
  const path = await fileWith(`${names.join()},${added}\n2.453,"12,5",2,x,x\n`);
  const wanted = { mapping, existing: 'skip' } as const;
  const again = await planOf(path, open, wanted, 'path', storeWith(plan, path));
  expect(again.rules.columns).toEqual(plan.rules.columns);
  const twice = await planOf(path, open, wanted, 'path', storeWith(again, path));
  expect(twice.rules.columns).toEqual(plan.rules.columns);
  // An earlier version stored no types of columns.
  const { layout } = plan;
  const older = {
    ...plan,
    layout: { ...layout, columns: layout.columns.map(({ name, key, unit }) => ({ name, key, unit })) },
  };
  const copied = await planOf(path, open, wanted, 'path', storeWithAll([older, plan], path));
  expect(copied.rules.columns).toEqual(plan.rules.columns);
  expect(copied.warnings.map(({ code }) => code)).not.toContain('rejects_unclear');
});

it('a corrected number of rejected rows has the decimal sign of the other columns, as in the first file', async () => {
  const names = 'Depth;Weight';
  const mapping = { constants: { asset_id: 5001, timestamp: 1_700_000_000_000 }, rest: 'data' };
  const plan = await planOf(await fileWith(`${names}\n1338;12,5\n1339;12\n`), open, { mapping });
  const path = await fileWith(`${names};rejected_line;rejected_code;rejected_message\n1.339;12,5;3;x;x\n`);
  const wanted = { mapping, existing: 'skip' } as const;
  const again = await planOf(path, open, wanted, 'path', storeWith(plan, path));
  expect(again.rules.columns[0]?.conversion).toMatchObject({ style: { decimal: ',', thousands: true } });
});

describe('what all rows of a file say is so for its rejected rows', () => {
  const constants = { asset_id: 5001, timestamp: 1_700_000_000_000 };
  const mapping = { constants, rest: 'data' };
  const numbers = (path: string, more: object) => [path, { kind: 'number', ...more }];

  it.each([
    [
      'the decimal sign',
      'Depth;Weight',
      ['1.338;12,5', '1.339;12'],
      [numbers('data.Depth', { style: { decimal: ',', thousands: true } }), numbers('data.Weight', {})],
    ],
    [
      'a column of texts',
      'Run,n',
      ['1,1', '3A,2', '2,3'],
      [['data.Run', { kind: 'string', json: true }], numbers('data.n', {})],
    ],
    [
      'the row of units',
      'Depth,Weight,When\nm,kN,UTC-6',
      ['1.5,3,2026-01-02 03:04:05', '2.5,4,2026-01-02 03:04:06'],
      [
        numbers('data.depth', { units: { from: 'm', to: 'ft' } }),
        ['timestamp', { kind: 'time', zone: 'UTC-6' }],
      ],
      {
        columns: {
          Depth: { to: 'data.depth', fieldUnit: 'ft' },
          When: { to: 'timestamp' },
        },
        constants: { asset_id: 5001 },
      },
    ],
  ])('%s', async (_what, head, rows, expected, given: object = mapping) => {
    const rulesOf = ({ rules }: UploadPlan) =>
      rules.columns.map(({ path, conversion }) => [path.join('.'), conversion]);
    const original = await fileWith([head, ...rows].join('\n'));
    const plan = await planOf(original, open, { mapping: given });
    expect(rulesOf(plan)).toMatchObject(expected);
    const delimiter = head.includes(';') ? ';' : ',';
    const line = [head.split('\n')[0], 'rejected_line', 'rejected_code', 'rejected_message'].join(delimiter);
    const rejected = [rows.at(-1), '3', 'refused', 'no'].join(delimiter);
    const path = await fileWith(`${line}\n${rejected}\n`);
    const store = storeWith(plan, path);
    const again = await planOf(path, open, { mapping: given, existing: 'skip' }, 'path', store);
    expect(rulesOf(again)).toMatchObject(expected);
    expect(again.parent).toEqual({ job: 'job-0001', file: 'rig.csv' });
    // A file of rejected rows of rejected rows.
    expect(again.layout.columns.slice(0, -3)).toEqual(plan.layout.columns);
    expect(again.decimal).toBe(plan.decimal);
    const preview = async (source: string) => {
      const { match } = createValidation({
        files: { source: () => ({ place: 'path', path: source, name: basename(source) }) },
        connections: { services: () => open },
        store,
        ...readingWith(inProcessThread),
      });
      const request = { source: 'a'.repeat(24), provider: 'p', dataset: 'd', type: 'time', mapping: given };
      const { columns: previews } = await match(matchRequest.parse(request), {});
      return previews.map(({ to, unit, reading, problem }) => ({ to, unit, reading, problem }));
    };
    expect((await preview(path)).slice(0, -3)).toEqual(await preview(original));
  });
});
