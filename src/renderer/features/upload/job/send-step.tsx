import { Loading } from '../../../ui/view-states.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { addressText } from '../../datasets/search.ts';
import { JobProgressView } from './job-progress-view.tsx';
import { LedgerView } from './ledger-view.tsx';
import { ProblemTable } from '../check/problem-table.tsx';
import { useUploadProgress } from '../use-progress.ts';

/** The rows being sent, and their results so far. */
export function SendStep() {
  const { sendJob } = useUploadProgress();
  if (!sendJob) return <Loading what={uploadWords.send.waiting} />;
  return (
    <div className="upload-step stack gap-4">
      <section>
        <JobProgressView job={sendJob} what={uploadWords.send.heading(addressText(sendJob.address))} />
        <p className="quiet">{uploadWords.send.text}</p>
      </section>
      {sendJob.result && (
        <section aria-label={uploadWords.ledger.label}>
          <LedgerView result={sendJob.result} phase="sending" />
          <ProblemTable problems={sendJob.result.problems} />
        </section>
      )}
    </div>
  );
}
