import { describe, expect, it } from 'vitest';
import { createProgressMeter, noProgress } from '../../../src/main/jobs/progress.ts';

function meterAt(start = 0) {
  let at = start;
  const meter = createProgressMeter(noProgress, () => at);
  return { ...meter, pass: (ms: number) => (at += ms) };
}

describe('the progress of a job', () => {
  it('has the rate of the last while and the time left', () => {
    const meter = meterAt();
    meter.pass(1000);
    meter.report({ rows: 500, totalRows: 2000 });
    expect(meter.read()).toMatchObject({ rows: 500, rate: 500, secondsLeft: 3 });
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
