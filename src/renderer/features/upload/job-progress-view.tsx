import { Square } from 'lucide-react';
import type { UploadJob } from '../../../shared/jobs.ts';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import { useJobsActions } from '../jobs/context.ts';
import { JobBar } from '../jobs/job-bar.tsx';
import { progressInWords } from '../jobs/job-words.ts';

/** A job under way: how far it is, at which rate, how long still, and the way to stop it. */
export function JobProgressView({ job, what }: { job: UploadJob; what: string }) {
  const { cancel } = useJobsActions();
  const { nextTryMs } = job.progress;
  return (
    <div className="upload-progress">
      <p>{what}</p>
      <JobBar job={job} />
      {/* Many times a second is not to be read out; the jobs say what is worth saying. */}
      <p className="numbers">
        {progressInWords({ ...job, progress: { ...job.progress, nextTryMs: null } }).join(' · ')}
      </p>
      {nextTryMs !== null && (
        <p className="upload-retry numbers">{words.upload.send.retry(Math.ceil(nextTryMs / 1000))}</p>
      )}
      <div className="form-buttons">
        <Button icon={Square} onPress={() => void cancel(job.id)}>
          {words.cancel}
        </Button>
      </div>
    </div>
  );
}
