import { useId } from 'react';
import { Play, Table, Upload } from 'lucide-react';
import { fromBody } from '../../../../shared/errors/errors.ts';
import type { DatasetType } from '../../../../shared/datasets/datasets.ts';
import type { Job, UploadJob } from '../../../../shared/jobs/jobs.ts';
import { isCheck } from '../../jobs/job-list.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { valueOr } from '../../../state/loadable.ts';
import { ConnectionFailed } from '../../connections/connection-failed.tsx';
import { addressText } from '../../datasets/search.ts';
import { Artifact } from '../../jobs/job-artifact.tsx';
import { JobStateIcon } from '../../jobs/job-state.tsx';
import { markOf, isResumable } from '../../jobs/job-words.ts';
import { PrimaryAction } from '../primary-action.tsx';
import { FixRows } from './fix-rows.tsx';
import { LedgerView } from './ledger-view.tsx';
import { targetRecordsQuery, uploadedRecordsQuery } from '../check/record-query.ts';
import { ProblemTable } from '../check/problem-table.tsx';
import { useOtherConnection, useUploadProgress } from '../use-progress.ts';
import { WarningList } from '../check/warning-list.tsx';
import { useApp, useAppState, useSession, useSessionState, useTab, useTabState } from '../../../contexts.ts';
import { openRecords } from '../../query/open-query.ts';
import { openUpload } from '../open-upload.ts';

const w = uploadWords.ledger;

/** A finished or stopped upload: the result of each row, and the next steps. */
export function LedgerStep() {
  const notesId = useId();
  const ledgerId = useId();
  const { sendJob } = useUploadProgress();
  const orderError = useAppState('jobs', (state) => state.error);
  const other = useOtherConnection(sendJob);
  const fixedRows = useAppState('jobs', ({ jobs }) => fixedRowsOf(sendJob?.id, jobs));
  if (!sendJob) return null;
  const { result, error, state } = sendJob;
  const rejects = sendJob.artifacts.filter(({ kind }) => kind === 'rejects');
  return (
    <div className="upload-step stack gap-4">
      <section aria-labelledby={ledgerId}>
        <h2 id={ledgerId} className="ledger-head row">
          <JobStateIcon mark={markOf(sendJob)} size={18} />
          {headingOf(sendJob, fixedRows)}
        </h2>
        {error && state !== 'cancelled' && <ConnectionFailed error={fromBody(error)} />}
        {isResumable(state) && <p className="quiet">{isAllSent(sendJob) ? w.nothingLeft : w.goesOn}</p>}
        {result ? (
          <LedgerView
            result={result}
            phase={isResumable(state) && !isAllSent(sendJob) ? 'stopped' : 'over'}
          />
        ) : (
          <p className="quiet">{w.noResult}</p>
        )}
        <NextSteps job={sendJob} hasRejects={rejects.length > 0} />
        {orderError && <Alert tone="error">{orderError.message}</Alert>}
        {rejects.map((artifact) => (
          <p key={artifact.token}>
            <Artifact artifact={artifact} />
          </p>
        ))}
      </section>
      {rejects.length > 0 && other === null && <FixRows key={sendJob.id} job={sendJob} />}
      {result && result.problems.length > 0 && (
        <section aria-label={w.problems}>
          <ProblemTable problems={result.problems} />
        </section>
      )}
      {result && result.warnings.length > 0 && (
        <section aria-labelledby={notesId}>
          <h2 id={notesId}>{w.warnings}</h2>
          <WarningList warnings={result.warnings} />
        </section>
      )}
    </div>
  );
}

/** Whether no rows are left to send. Some may still be unknown. */
const isAllSent = ({ result }: UploadJob): boolean => result?.ledger.pending === 0;

/** How many rejected rows of an upload others have stored since, which were corrected here or in their file. */
const fixedRowsOf = (id: string | undefined, jobs: readonly Job[]): number =>
  jobs.reduce(
    (total, job) =>
      job.kind === 'upload' && job.parent?.job === id && !isCheck(job)
        ? total + (job.result?.ledger.accepted ?? 0)
        : total,
    0,
  );

/** The heading says “Uploaded” only if nothing is left to send or to resolve. */
function headingOf({ state, result }: UploadJob, fixedRows: number): string {
  if (state === 'done')
    return result && result.ledger.pending + result.ledger.unknown > 0
      ? w.headings.incomplete
      : result && result.ledger.rejected > 0
        ? w.headings.rejected(
            result.ledger.rejected,
            result.fileRows !== undefined,
            Math.min(fixedRows, result.ledger.rejected),
          )
        : w.headings.done;
  if (state === 'cancelled' || state === 'interrupted') return w.headings[state];
  return w.headings.failed;
}

function NextSteps({ job, hasRejects }: { job: UploadJob; hasRejects: boolean }) {
  const { resume } = useApp().jobs.actions;
  const session = useSession();
  const { store } = useTab('upload');
  const other = useOtherConnection(job);
  const tabDataset = useTabState('upload', (state) => state.dataset);
  const list = useSessionState('datasets', (state) => state.list);
  const address = addressText(job.address);
  const dataset =
    tabDataset ?? valueOr(list, []).find((listedDataset) => addressText(listedDataset) === address);
  // A job that started elsewhere has no match of its columns here.
  const queryOf = (type: DatasetType | null) => {
    const { spans, assets } = job.result?.records ?? { spans: [], assets: [] };
    return targetRecordsQuery(store.getState()) ?? uploadedRecordsQuery(type, spans, {}, assets);
  };
  const hasStored = (job.result?.ledger.accepted ?? 0) > 0;
  return (
    <>
      <PrimaryAction>
        {isResumable(job.state) && (
          <Button
            variant={isAllSent(job) ? 'plain' : 'primary'}
            icon={Play}
            onPress={() => void resume(job.id)}
          >
            {w.resume}
          </Button>
        )}
        {dataset && hasStored && other === null && (
          <Button
            variant={isAllSent(job) && !hasRejects ? 'primary' : 'plain'}
            icon={Table}
            onPress={() => openRecords(session, dataset, queryOf(dataset.type))}
          >
            {w.lookAt}
          </Button>
        )}
      </PrimaryAction>
      {other === null && (
        <div>
          <Button icon={Upload} onPress={() => openUpload(session, dataset)}>
            {w.another}
          </Button>
        </div>
      )}
    </>
  );
}
