import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { openServices } from '../../../support/services.ts';
import type { Services } from '../../../../src/main/core/wire/services/services.ts';
import { fileWith, temporaryFolder } from './support/files.ts';
import { planOf, runJob } from './support/uploads.ts';

let demo: Demo;
let services: Services;
beforeAll(async () => {
  demo = await startDemo({ records: 100, wells: 5 });
  services = openServices({
    dataUrl: demo.dataUrl,
    platformUrl: demo.platformUrl,
    credential: { method: 'api_key', apiKey: demo.apiKeys.write },
    env: {},
  });
});
afterAll(async () => {
  await services.close();
  await demo.close();
});

const start = Date.UTC(2021, 0, 1);
const csv = (rows: readonly number[], value = (n: number) => `${n}.5`): string =>
  ['asset_id,timestamp,data.n', ...rows.map((n) => `5001,${start + n * 1000},${value(n)}`)].join('\n');
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

async function run(text: string, dryRun: boolean, from: Services = services, mapping?: unknown) {
  const plan = await planOf(await fileWith(text), from, {
    provider: 'demo',
    dataset: 'uploads.time',
    existing: 'skip',
    dryRun,
    ...(mapping === undefined ? {} : { mapping }),
  });
  const { result, error } = await runJob({ services: from, folder: await temporaryFolder(), plan });
  if (error) throw error;
  return { ...result, codes: result?.warnings.map(({ code }) => code) };
}

it('a check reports how many rows already exist, and how many are new', async () => {
  expect((await run(csv(upTo(40)), true)).ledger).toMatchObject({ pending: 40, skipped: 0 });
  await run(csv(upTo(40)), false);
  const again = await run(csv(upTo(40)), true);
  expect(again.ledger).toEqual({ rows: 40, accepted: 40, rejected: 0, unknown: 0, pending: 0, skipped: 40 });
  const longer = await run(csv(upTo(55)), true);
  expect(longer.ledger).toMatchObject({ rows: 55, pending: 15, skipped: 40 });
  const other = await run(
    csv(upTo(5), (n) => `${n}.75`),
    true,
  );
  expect(other.codes).toContain('existing_differ');
});

it('a check of a dataset that can’t be read continues, and reports what it couldn’t check', async () => {
  const withoutReads: Services = {
    ...services,
    data: { ...services.data, count: () => services.data.count({ provider: 'demo', dataset: 'none' }, {}) },
  };
  const { ledger, codes } = await run(csv(upTo(3)), true, withoutReads);
  expect(ledger).toMatchObject({ rows: 3, pending: 3 });
  expect(codes).toContain('existing_unread');
});

it('a check finds rows that repeat the well and time of an earlier row, anywhere in the file', async () => {
  const { warnings } = await run(csv([100, 101, 102, 101, 103, 100]), true);
  expect(warnings).toContainEqual({
    code: 'repeated_rows',
    message: '2 rows repeat the well and the time of an earlier row of the file.',
    count: 2,
    line: 5,
  });
  expect((await run(csv([200, 201, 202]), true)).codes).not.toContain('repeated_rows');
  const depths = [
    '5001,1000.5,a,1',
    '5002,1000.5,a,1',
    '5001,1000.50,a,2',
    '5002,1000.51,a,2',
    '5001,1e3,b,3',
  ];
  const plan = await planOf(
    await fileWith(['asset_id,measured_depth,log_identifier,data.n', ...depths, '5001,1000,b,4'].join('\n')),
    services,
    { provider: 'demo', dataset: 'uploads.depth', existing: 'skip', dryRun: true },
  );
  const { result } = await runJob({ services, folder: await temporaryFolder(), plan });
  expect(result?.warnings).toContainEqual(
    expect.objectContaining({ code: 'repeated_rows', count: 2, line: 4 }),
  );
});

it('a check doesn’t repeat warnings that the mapping resolves, or warnings of skipped columns', async () => {
  const text = [
    'asset_id,Time,n,gone',
    ...upTo(20).map(
      (n) => `5001,03/04/2021 00:00:${String(n + 10)},${n === 3 ? 'x' : n},${n === 4 ? -999.25 : n}`,
    ),
  ].join('\n');
  const columns = { Time: { to: 'timestamp', format: 'MM/dd/yyyy HH:mm:ss', zone: 'UTC' } };
  const open = await run(text, true, services, { columns, rest: 'data' });
  expect(open.codes).toEqual(expect.arrayContaining(['type_exceptions', 'sentinel_values']));
  expect(open.codes).not.toContain('ambiguous_dates');
  const answered = { ...columns, n: { to: 'data.n', type: 'string' } };
  const closed = await run(text, true, services, { columns: answered, skip: ['gone'], rest: 'data' });
  expect(closed.codes).not.toContain('type_exceptions');
  expect(closed.codes).not.toContain('sentinel_values');
});
