import { createStore } from 'zustand/vanilla';
import type { Job } from '../../../shared/jobs/jobs.ts';
import type { SystemNotices } from '../../api/system-notices.ts';
import { words } from '../../words/words.ts';
import type { Settings } from '../settings/settings.ts';
import { resultText } from './job-words.ts';
import { isEnd } from './job-list.ts';

/** Notifications of finished jobs: off or not yet permitted, on, refused by the browser, or unavailable. */
export interface EndNoticesState {
  readonly status: 'off' | 'on' | 'refused' | 'none';
}

/** Jobs that just finished. Jobs that the user stopped, or that were finished before, are excluded. */
function endedJobs(before: readonly Job[], now: readonly Job[], opened: number): Job[] {
  const jobsBefore = new Map(before.map((job) => [job.id, job]));
  return now.filter(
    (job) => (job.state === 'done' || job.state === 'failed') && isEnd(jobsBefore.get(job.id), job, opened),
  );
}

function noticeText(job: Job): readonly [title: string, body: string] {
  return job.state === 'done'
    ? [words.jobs.endNotices.done(job.file), resultText(job).join(', ')]
    : [words.jobs.endNotices.failed(job.file), job.error?.message ?? ''];
}

/**
 * @param system null: the browser has no notifications
 * @param opened when the window opened, in Unix milliseconds
 */
export function createEndNotices(
  system: SystemNotices | null,
  settings: Settings,
  opened: number = performance.timeOrigin,
) {
  const isWanted = () => settings.store.getState().values.notifyWhenDone;
  const store = createStore<EndNoticesState>()(() => ({
    status: system === null ? 'none' : isWanted() && system.permission() === 'granted' ? 'on' : 'off',
  }));

  function show(job: Job): void {
    try {
      system?.notify(...noticeText(job), job.id);
    } catch {
      // Some browsers allow notifications only for installed pages. Screen readers get them in any case.
      store.setState({ status: 'none' });
    }
  }

  return {
    store,
    actions: {
      /** Enables or disables notifications, and asks for permission if needed. */
      async setEnabled(on: boolean) {
        if (!on) return settings.actions.set({ notifyWhenDone: false });
        if (!system) return;
        const permission =
          system.permission() === 'default' ? await system.requestPermission() : system.permission();
        if (permission !== 'granted')
          return store.setState({ status: permission === 'denied' ? 'refused' : 'off' });
        settings.actions.set({ notifyWhenDone: true });
        store.setState({ status: 'on' });
      },
      /** Call after the setting has changed. */
      update(): void {
        if (store.getState().status === 'none') return;
        store.setState({ status: isWanted() && system?.permission() === 'granted' ? 'on' : 'off' });
      },
      notify(before: readonly Job[], now: readonly Job[]): void {
        if (store.getState().status === 'on' && !system?.isInFront())
          endedJobs(before, now, opened).forEach(show);
      },
    },
  };
}

export type EndNotices = ReturnType<typeof createEndNotices>;
