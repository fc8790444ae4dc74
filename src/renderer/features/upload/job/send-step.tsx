import { Loading } from '../../../ui/view-states.tsx';
import { words } from '../../../words/words.ts';
import { addressInWords } from '../../datasets/search.ts';
import { JobProgressView } from './job-progress-view.tsx';
import { LedgerView } from './ledger-view.tsx';
import { ProblemTable } from '../check/problem-table.tsx';
import { useUploadProgress } from '../use-progress.ts';

/** The rows on their way, with what has become of them so far. */
export function SendStep() {
  const { sending } = useUploadProgress();
  if (!sending) return <Loading what={words.upload.send.waiting} />;
  return (
    <div className="upload-step stack gap-4">
      <section>
        <JobProgressView job={sending} what={words.upload.send.heading(addressInWords(sending.address))} />
        <p className="quiet">{words.upload.send.text}</p>
      </section>
      {sending.result && (
        <section aria-label={words.upload.ledger.label}>
          <LedgerView ledger={sending.result.ledger} phase="sending" />
          <ProblemTable problems={sending.result.problems} />
        </section>
      )}
    </div>
  );
}
