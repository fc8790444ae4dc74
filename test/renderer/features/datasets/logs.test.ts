import { expect, it, vi } from 'vitest';
import { createLogs, loadLogs, logNames } from '../../../../src/renderer/features/datasets/logs.ts';
import { plotWords } from '../../../../src/renderer/words/plot.ts';

const address = { provider: 'demo', dataset: 'log' };
const [first, second] = ['b00000000002', 'a00000000001'];

/** Logs as the service answers, after which a request fails. */
function logsOf(...answers: (readonly object[] | null)[]) {
  const requests: string[] = [];
  const pipeline = async ({ stages }: { readonly stages: string }) => {
    requests.push(stages);
    const rows = answers[requests.length - 1] ?? null;
    if (rows === null) throw new Error('refused');
    return {
      records: new TextEncoder().encode(JSON.stringify(rows)),
      count: rows.length,
      total: null,
      ms: 1,
    };
  };
  return { logs: createLogs({ query: { pipeline } }, 'main'), requests };
}
const of = (_id: unknown, from: number | null, to = from === null ? null : from + 1000) => ({
  _id,
  from,
  to,
});
const feet = { unit: 'ft', changes: {} };

it('are numbered by the start of their depths, then by their ids, whichever records a view has', async () => {
  const { logs, requests } = logsOf([
    of(second, 200),
    of('run 1', 0),
    of('20260114', 10),
    of('c00000000003', null),
    of(first, 100),
    of(null, 5),
    of('a0000000000f', 200, 900.25),
  ]);
  await loadLogs(logs, address, [
    ['5001', second],
    ['5001', first],
    ['5002', 'run 1'],
  ]);
  expect(requests).toHaveLength(1);
  expect([...(logNames(logs, address, feet).get('5001') ?? [])]).toEqual([
    [first, plotWords.log(1, '100–1,100 ft')],
    [second, plotWords.log(2, '200–1,200 ft')],
    ['a0000000000f', plotWords.log(3, '200–900.25 ft')],
    ['c00000000003', plotWords.log(4, '')],
  ]);
  const changes = { measured_depth: { from: 'ft', to: 'm' } };
  const metric = logNames(logs, address, { unit: 'ft', changes }).get('5001');
  expect(metric?.get(first)).toBe(plotWords.log(1, '30.48–335.28 m'));
  expect(logNames(logs, { ...address, dataset: 'other' }, feet).size).toBe(0);
});

it('are read once for all views, and have no names if the service refuses', async () => {
  const { logs, requests } = logsOf(null, [of(first, 1)]);
  const groups = [['5001', first]];
  await Promise.all([loadLogs(logs, address, groups), loadLogs(logs, address, groups)]);
  await loadLogs(logs, address, groups);
  expect(requests).toHaveLength(1);
  expect(logNames(logs, address, feet).get('5001')?.size ?? 0).toBe(0);
  await loadLogs(logs, address, [['5002', first]]);
  expect(requests[1]).toContain('5002');
  expect(logNames(logs, address, feet).get('5002')?.size).toBe(1);
});

it('are read again for records that are shown a minute later, and stay while they are', async () => {
  const { logs, requests } = logsOf([of(first, 1)], [of(second, 0), of(first, 1)]);
  const groups = [['5001', first]];
  const name = () => logNames(logs, address, feet).get('5001')?.get(first);
  await loadLogs(logs, address, groups);
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
  const reading = loadLogs(logs, address, groups);
  expect(name()).toBe(plotWords.log(1, '1–1,001 ft'));
  await reading;
  now.mockRestore();
  expect(requests).toHaveLength(2);
  expect(name()).toBe(plotWords.log(2, '1–1,001 ft'));
});
