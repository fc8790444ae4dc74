import { useEffect, useRef, useState } from 'react';
import { Status } from '../../ui/status.tsx';
import { useAppState } from '../../state/contexts.ts';
import { announcements } from './announce.ts';
import { announcementInWords } from './job-words.ts';

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
