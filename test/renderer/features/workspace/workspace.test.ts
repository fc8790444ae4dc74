import { describe, expect, it } from 'vitest';
import type { RetryNotice } from '../../../../src/shared/workspace/workspace.ts';
import {
  addNotice,
  createWorkspace,
  type WorkspaceDependencies,
  secondsUntil,
  withoutExpired,
} from '../../../../src/renderer/features/workspace/workspace.ts';

const retry = (
  attempt: number,
  nextTryMs: number,
  service: RetryNotice['service'] = 'data',
): RetryNotice => ({
  kind: 'retry',
  service,
  host: 'data.example.com',
  attempt,
  nextTryMs,
  cause: '503',
});

describe('notices of retries', () => {
  it('count down to the next try', () => {
    const [first] = addNotice([], retry(2, 4000), 1000);
    expect(first?.at).toBe(5000);
    expect([1000, 1001, 4999, 6000].map((now) => secondsUntil(5000, now))).toEqual([4, 4, 1, 0]);
  });

  it('are one for each service and host: the newest', () => {
    const two = addNotice(addNotice([], retry(2, 4000), 0), retry(2, 4000, 'platform'), 0);
    expect(addNotice(two, retry(3, 8000), 100).map(({ notice }) => notice)).toMatchObject([
      { attempt: 2 },
      { attempt: 3 },
    ]);
    const skipped = { kind: 'skipped', service: 'data', host: 'a', what: 'the list', count: 2 } as const;
    expect(addNotice(two, skipped, 100)).toHaveLength(3);
    const clock = { kind: 'clock', service: 'data', host: 'a', aheadMs: 60_001 } as const;
    expect(withoutExpired(addNotice(two, clock, 100), 500_000)).toMatchObject([{ notice: clock }]);
  });

  it('disappear at the time of the retry', () => {
    const notices = addNotice([], retry(2, 4000), 0);
    expect(withoutExpired(notices, 3999)).toHaveLength(1);
    expect(withoutExpired(notices, 4000)).toHaveLength(0);
  });
});

describe('facts about the application', () => {
  it('are requested again after a failure', async () => {
    let isFailing = true;
    const waiting: (() => void)[] = [];
    const about = async () => {
      if (isFailing) throw new Error('the link is lost');
      return { version: '1.2.3', files: 'dialog' };
    };
    const api = { workspace: { about }, events: {} } as unknown as WorkspaceDependencies['api'];
    const { store, actions } = createWorkspace({ api, now: () => 0, after: (_, act) => waiting.push(act) });
    await actions.load();
    expect(store.getState()).toMatchObject({ version: '', files: 'stream' });
    isFailing = false;
    for (const act of waiting.splice(0)) act();
    await expect.poll(() => store.getState()).toMatchObject({ version: '1.2.3', files: 'dialog' });
    expect(waiting).toEqual([]);
  });
});
