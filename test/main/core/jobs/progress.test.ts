import { describe, expect, it } from 'vitest';
import { createProgressMeter, noProgress } from '../../../../src/main/core/jobs/waits.ts';

function meterAt(start = 0, from = noProgress) {
  let at = start;
  const meter = createProgressMeter(from, () => at);
  return { ...meter, pass: (ms: number) => (at += ms) };
}

describe('the progress of a job', () => {
  it('has neither rate nor remaining time until they are reliable, then the recent ones', () => {
    const meter = meterAt();
    // The first steps of a job are slow, and predict nothing.
    meter.pass(5000);
    meter.report({ rows: 10, totalRows: 20_010 });
    expect(meter.read()).toMatchObject({ rows: 10, rate: 0, secondsLeft: null });
    meter.pass(1000);
    meter.report({ rows: 1010 });
    expect(meter.read()).toMatchObject({ rate: 0, secondsLeft: null });
    meter.pass(1000);
    meter.report({ rows: 2010 });
    expect(meter.read()).toMatchObject({ rate: 1000, secondsLeft: 18 });
    for (let second = 1; second <= 12; second += 1) {
      meter.pass(1000);
      meter.report({ rows: 2010 + 500 * second });
    }
    expect(meter.read()).toMatchObject({ rate: 500, secondsLeft: 24 });
  });

  it('doesn’t drop between two steps, only when one is overdue', () => {
    const meter = meterAt();
    for (let step = 1; step <= 4; step += 1) {
      meter.pass(15_000);
      meter.report({ rows: 3000 * step, totalRows: 30_000 });
    }
    meter.pass(14_000);
    expect(meter.read()).toMatchObject({ rate: 200, secondsLeft: 90 });
    meter.pass(31_000);
    expect(meter.read()).toMatchObject({ rate: 100, secondsLeft: 180 });
  });

  it('restarts after a wait, and when a job is resumed', () => {
    const meter = meterAt(0, { ...noProgress, rows: 30_000, totalRows: 60_000 });
    for (const rows of [30_000, 31_000, 32_000]) {
      meter.report({ rows });
      meter.pass(2000);
    }
    expect(meter.read()).toMatchObject({ rows: 32_000, rate: 0, secondsLeft: null });
    meter.report({ rows: 33_000 });
    expect(meter.read()).toMatchObject({ rate: 500, secondsLeft: 54 });
    meter.resetRate();
    meter.pass(60_000);
    meter.report({ rows: 33_010 });
    expect(meter.read()).toMatchObject({ rate: 0, secondsLeft: null });
  });

  it('counts down to the next try', () => {
    const meter = meterAt(5000);
    meter.report({ nextTryMs: 4000 });
    expect(meter.read().nextTryMs).toBe(4000);
    meter.pass(1500);
    meter.report({ rows: 10 });
    expect(meter.read().nextTryMs).toBe(2500);
    meter.pass(9000);
    expect(meter.read().nextTryMs).toBe(0);
    meter.report({ nextTryMs: null });
    expect(meter.read().nextTryMs).toBeNull();
  });
});
