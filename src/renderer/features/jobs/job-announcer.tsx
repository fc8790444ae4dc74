import { useEffect, useRef, useState } from 'react';
import { words } from '../../words/words.ts';
import { Status } from '../../ui/status.tsx';
import { useAppState } from '../../contexts.ts';
import { stateText } from './job-words.ts';
import type { Job } from '../../../shared/jobs/jobs.ts';
import { isStartedSince, progressShare } from './job-list.ts';

/** Announces changes of jobs to screen readers. */
export function JobAnnouncer() {
  const jobs = useAppState('jobs', (state) => state.jobs);
  const before = useRef(jobs);
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    const news = announcements(before.current, jobs, performance.timeOrigin);
    before.current = jobs;
    if (news.length > 0) setAnnounced(news.map(announcementText).join(' '));
  }, [jobs]);
  return <Status className="visually-hidden">{announced}</Status>;
}

/** An announcement about a job. */
export type Announcement =
  | { readonly kind: 'state'; readonly job: Job }
  | { readonly kind: 'share'; readonly job: Job; readonly quarters: 1 | 2 | 3 };

const quarters = (job: Job): number => Math.floor((progressShare(job) ?? 0) * 4);

/**
 * The announcements after a change: a job that started, changed its state, or passed a quarter. Progress
 * changes ten times a second and is not announced.
 * @param opened when the window opened, in Unix milliseconds: a short job can have ended when it is first listed
 */
export function announcements(before: readonly Job[], now: readonly Job[], opened: number): Announcement[] {
  const jobsBefore = new Map(before.map((job) => [job.id, job]));
  return now.flatMap((job): Announcement[] => {
    const old = jobsBefore.get(job.id);
    if (old === job) return [];
    if (!old) {
      const isOfNow = job.state === 'running' || isStartedSince(job, opened);
      return isOfNow ? [{ kind: 'state', job }] : [];
    }
    if (old.state !== job.state || old.waitsFor?.for !== job.waitsFor?.for) return [{ kind: 'state', job }];
    const passed = quarters(job);
    if (job.state !== 'running' || passed <= quarters(old)) return [];
    return passed === 1 || passed === 2 || passed === 3 ? [{ kind: 'share', job, quarters: passed }] : [];
  });
}

function announcementText(announcement: Announcement): string {
  const { job } = announcement;
  if (announcement.kind === 'share') return words.jobs.announceQuarter(job.file, announcement.quarters);
  return words.jobs.announceState(job.file, stateText(job));
}
