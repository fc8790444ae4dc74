import { useEffect, useRef, useState } from 'react';
import { words } from '../../words/words.ts';
import { Status } from '../../ui/status.tsx';
import { useAppState } from '../../state/contexts.ts';
import { stateInWords } from './job-words.ts';
import type { Job } from '../../../shared/jobs/jobs.ts';
import { shareDone } from './job-list.ts';

/** Tells a screen reader what is worth telling of the jobs; nobody sees it. */
export function JobAnnouncer() {
  const jobs = useAppState('jobs', (state) => state.jobs);
  const before = useRef(jobs);
  const [said, setSaid] = useState('');
  useEffect(() => {
    const news = announcements(before.current, jobs);
    before.current = jobs;
    if (news.length > 0) setSaid(news.map(announcementInWords).join(' '));
  }, [jobs]);
  return <Status className="visually-hidden">{said}</Status>;
}

/** What a screen reader is told about a job. */
export type Announcement =
  | { readonly kind: 'state'; readonly job: Job }
  | { readonly kind: 'share'; readonly job: Job; readonly quarters: 1 | 2 | 3 };

const quarters = (job: Job): number => Math.floor((shareDone(job) ?? 0) * 4);

/**
 * What is worth saying now that the jobs have changed: a job that began, changed its state, or passed a quarter of
 * its way. Progress itself, ten times a second, is not.
 */
export function announcements(before: readonly Job[], now: readonly Job[]): Announcement[] {
  const known = new Map(before.map((job) => [job.id, job]));
  return now.flatMap((job): Announcement[] => {
    const old = known.get(job.id);
    if (old === job) return [];
    if (!old) return job.state === 'running' ? [{ kind: 'state', job }] : [];
    if (old.state !== job.state || old.waitsFor?.for !== job.waitsFor?.for) return [{ kind: 'state', job }];
    const passed = quarters(job);
    if (job.state !== 'running' || passed <= quarters(old)) return [];
    return passed === 1 || passed === 2 || passed === 3 ? [{ kind: 'share', job, quarters: passed }] : [];
  });
}

/** What a screen reader is told. */
function announcementInWords(announcement: Announcement): string {
  const { job } = announcement;
  if (announcement.kind === 'share') return words.jobs.announceQuarter(job.file, announcement.quarters);
  return words.jobs.announceState(job.file, stateInWords(job));
}
