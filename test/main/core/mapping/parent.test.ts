import { beforeEach, expect, it } from 'vitest';
import type { JobStore } from '../../../../src/main/core/jobs/store.ts';
import type { Services } from '../../../../src/main/core/wire/services/services.ts';
import { originOf } from '../../../../src/main/core/mapping/plan-upload.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';
import { fileWith } from '../../features/upload/support/files.ts';
import { planOf } from '../../features/upload/support/uploads.ts';

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

it('a copy of rejected rows is of no upload if several with other choices wrote a file with its name', async () => {
  const plan = await planOf(await fileWith(`${header}\n1,5001,1,x\n`), open, {
    mapping: { columns: { When: { to: 'timestamp', format: 'unix_s' }, Well: { to: 'asset_id' } } },
  });
  const jobs = ['1', '2'].map((day) => ({
    id: `job-000${day}`,
    kind: 'upload',
    summary: {
      file: 'rig.csv',
      address: { provider: 'p', dataset: 'd' },
      artifacts: [{ kind: 'rejects', path: `/r/${day}/rig.rejects.csv` }],
    },
  }));
  const of = async (path: string, second: typeof plan) => {
    const store = {
      related: async () => jobs,
      plan: async (id: string) => (id === 'job-0002' ? second : plan),
    } as unknown as Pick<JobStore, 'related' | 'plan'>;
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
  const job = {
    id: 'job-0001',
    kind: 'upload',
    summary: {
      file: 'rig.csv',
      address: { provider: 'p', dataset: 'd' },
      artifacts: [{ kind: 'rejects', path: rejects.path }],
    },
  };
  const store = { related: async () => [job], plan: async () => plan } as unknown as Pick<
    JobStore,
    'related' | 'plan'
  >;
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
