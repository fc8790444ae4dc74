import { describe, expect, it } from 'vitest';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { SystemNotices } from '../../../../src/renderer/api/system-notices.ts';
import { createEndNotices } from '../../../../src/renderer/features/jobs/end-notices.ts';
import type { Settings as SettingsFeature } from '../../../../src/renderer/features/settings/settings.ts';
import { words } from '../../../../src/renderer/words/words.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { defaultSettings, type Settings } from '../../../../src/shared/settings/settings.ts';
import { job as jobSchema, type Job, type JobState } from '../../../../src/shared/jobs/jobs.ts';
import { startingLike } from '../../../support/wording.ts';

const started = Date.UTC(2026, 10, 21);
const job = (id: string, state: JobState): Job =>
  jobSchema.parse({
    kind: 'upload',
    id: `upload-${id}`,
    state,
    address: { provider: 'demo', dataset: 'wits' },
    connection: 'sample',
    file: `${id}.csv`,
    started: new Date(started).toISOString(),
    updated: '2026-11-21T06:00:00Z',
    progress: { rows: 1, totalRows: 1, bytes: 0, rate: 0, secondsLeft: null, nextTryMs: null },
    error: state === 'failed' ? new AppError('forbidden', { service: 'data' }).toBody() : null,
    artifacts: [],
    result:
      state === 'done'
        ? {
            ledger: { rows: 5, accepted: 4, rejected: 1, unknown: 0, pending: 0, skipped: 0 },
            dryRun: false,
            problems: [],
            warnings: [],
            footerRows: 0,
          }
        : null,
  });

function notices({
  answer = 'granted',
  permission = 'default',
  watched = false,
  broken = false,
  settings = createStore(() => ({ values: defaultSettings })),
  opened = Infinity,
}: {
  answer?: NotificationPermission;
  permission?: NotificationPermission;
  watched?: boolean;
  broken?: boolean;
  settings?: StoreApi<{ values: Settings }>;
  opened?: number;
} = {}) {
  const notices: string[] = [];
  let promptCount = 0;
  let now = permission;
  const system: SystemNotices = {
    permission: () => now,
    async requestPermission() {
      promptCount += 1;
      now = answer;
      return now;
    },
    isInFront: () => watched,
    notify(title, body) {
      if (broken) throw new TypeError('Illegal constructor');
      notices.push(`${title}: ${body}`);
    },
  };
  let listed: readonly Job[] = [];
  const actions = {
    set: (values: object) => settings.setState({ values: { ...settings.getState().values, ...values } }),
  };
  const feature = createEndNotices(
    system,
    { store: settings, actions } as unknown as SettingsFeature,
    opened,
  );
  settings.subscribe(() => feature.actions.update());
  return {
    ...feature,
    notices,
    settings,
    asked: () => promptCount,
    status: () => feature.store.getState().status,
    jobs(...list: Job[]) {
      feature.actions.notify(listed, list);
      listed = list;
    },
  };
}

describe('the system’s notifications of jobs', () => {
  it('report the end of jobs, once the user and the browser allow it', async () => {
    const of = notices();
    of.jobs(job('a', 'running'), job('b', 'waiting'), job('c', 'running'), job('old', 'done'));
    expect([of.asked(), of.status()]).toEqual([0, 'off']);
    await of.actions.setEnabled(true);
    expect([of.asked(), of.status()]).toEqual([1, 'on']);
    of.jobs(job('a', 'done'), job('b', 'failed'), job('c', 'cancelled'), job('old', 'done'));
    expect(of.notices).toEqual([
      `${words.jobs.endNotices.done('a.csv')}: ${words.jobs.inserted(4)}, ${words.jobs.rejected(1)}`,
      expect.stringMatching(startingLike(`${words.jobs.endNotices.failed('b.csv')}: `)),
    ]);
    await of.actions.setEnabled(false);
    of.jobs(job('d', 'running'));
    of.jobs(job('d', 'done'));
    expect(of.notices).toHaveLength(2);
  });

  it('report a job too that has ended when it is first listed, unless that was before the window opened', async () => {
    for (const [opened, count] of [
      [started, 1],
      [started + 1, 0],
    ] as const) {
      const of = notices({ permission: 'granted', opened });
      await of.actions.setEnabled(true);
      of.jobs(job('a', 'done'));
      expect(of.notices).toHaveLength(count);
    }
  });

  it('are not sent while the page is in front', async () => {
    const of = notices({ watched: true });
    await of.actions.setEnabled(true);
    of.jobs(job('a', 'running'));
    of.jobs(job('a', 'done'));
    expect(of.notices).toEqual([]);
  });

  it('are rejected with a message, and not requested a second time', async () => {
    const of = notices({ answer: 'denied' });
    await of.actions.setEnabled(true);
    await of.actions.setEnabled(true);
    expect([of.asked(), of.status()]).toEqual([1, 'refused']);
  });

  it('follow the setting in every window, while the browser allows them', async () => {
    const first = notices();
    await first.actions.setEnabled(true);
    const second = notices({ settings: first.settings, permission: 'granted' });
    expect(second.status()).toBe('on');
    expect(notices({ settings: first.settings, permission: 'default' }).status()).toBe('off');
    await second.actions.setEnabled(false);
    expect([first.status(), second.status()]).toEqual(['off', 'off']);
    expect(notices({ settings: first.settings, permission: 'granted' }).status()).toBe('off');
  });

  it('are no longer offered when a page can’t send any', async () => {
    const of = notices({ broken: true });
    await of.actions.setEnabled(true);
    of.jobs(job('a', 'running'));
    of.jobs(job('a', 'done'));
    expect(of.status()).toBe('none');
  });
});
