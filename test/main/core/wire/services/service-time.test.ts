import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../../src/main/core/wire/http/retry.ts';
import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';

const servers = useServers();
const open = useServices();
const wits = { provider: 'demo', dataset: 'wits' };
const serviceMs = Date.parse('2026-03-01T12:00:00Z');
const hourMs = 3_600_000;

/** A service with its own clock, over a computer with both of its clocks. */
async function service({ age }: { age?: string } = {}) {
  const times = { wallMs: serviceMs + 3 * hourMs, elapsedMs: 0 };
  const notices: unknown[] = [];
  const server = await servers.http((_request, response) => {
    response.setHeader('date', new Date(serviceMs + times.elapsedMs).toUTCString());
    if (age !== undefined) response.setHeader('age', age);
    return {};
  });
  const { data } = open(server.url, {
    clock: { ...systemClock, now: () => times.wallMs, elapsed: () => times.elapsedMs },
    onClock: (notice) => notices.push(notice),
  });
  const pass = (wallMs: number, elapsedMs = wallMs): void => {
    times.wallMs += wallMs;
    times.elapsedMs += elapsedMs;
  };
  return { data, seen: server.seen, notices, pass };
}

describe('the time of a service', () => {
  it('is asked for once, and counted on for some minutes', async () => {
    const { data, seen, pass } = await service();
    expect(await data.askNow(wits)).toBe(serviceMs);
    // Elapsed time has fractions, and instants of queries have none.
    pass(60_000.25);
    expect(await data.askNow(wits)).toBe(serviceMs + 60_000);
    expect(seen).toHaveLength(1);
    pass(hourMs);
    await data.askNow(wits);
    expect(seen).toHaveLength(2);
  });

  it('is asked for again after the computer slept or its clock was set', async () => {
    const { data, seen, pass } = await service();
    await data.askNow(wits);
    pass(8 * hourMs, 1000);
    await data.askNow(wits);
    expect(seen).toHaveLength(2);
  });

  it('is later than its date where a proxy responds from its cache', async () => {
    const { data } = await service({ age: '7200' });
    expect(await data.askNow(wits)).toBe(serviceMs + 2 * hourMs);
  });

  it('is reported once if it differs by more than a minute', async () => {
    const { data, notices, pass } = await service();
    await data.askNow(wits);
    pass(hourMs);
    await data.askNow(wits);
    expect(notices).toEqual([
      expect.objectContaining({ kind: 'clock', service: 'data', aheadMs: 3 * hourMs }),
    ]);
    const near = await service();
    near.pass(-3 * hourMs + 30_000, 0);
    await near.data.askNow(wits);
    expect(near.notices).toEqual([]);
  });

  it('is this computer’s if the service doesn’t respond', async () => {
    const nobody = await servers.nobody();
    const { data } = open(nobody.url, { clock: { ...systemClock, now: () => 42 } });
    expect(await data.askNow(wits)).toBe(42);
  });
});
