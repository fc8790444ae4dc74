import { JobsBar } from '../features/jobs/jobs-bar.tsx';
import { useUploads } from '../features/upload/context.ts';
import { useUploadQueue } from '../features/upload/queue/queue-context.ts';
import { WaitingFiles } from '../features/upload/queue/waiting-files.tsx';

/** The jobs, and among them the files that are sent when one of them is done. */
export function JobsPlace() {
  const inLine = useUploadQueue((state) => state.waiting.length);
  const { openJob } = useUploads();
  return <JobsBar inLine={inLine} waitingFiles={<WaitingFiles />} onOpenUpload={openJob} />;
}
