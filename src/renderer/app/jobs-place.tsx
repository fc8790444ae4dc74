import { JobsBar } from '../features/jobs/jobs-bar.tsx';
import { WaitingFiles } from '../features/upload/queue/waiting-files.tsx';
import { useAppState, useSession } from '../state/contexts.ts';

/** The jobs, and among them the files that are sent when one of them is done. */
export function JobsPlace() {
  const inLine = useAppState('queue', (state) => state.waiting.length);
  const { openJob } = useSession().uploads;
  return <JobsBar inLine={inLine} waitingFiles={<WaitingFiles />} onOpenUpload={openJob} />;
}
