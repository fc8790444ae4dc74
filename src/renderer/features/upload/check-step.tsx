import { CircleCheck, ListChecks, Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { fromBody } from '../../../shared/error-body.ts';
import type { UploadJob } from '../../../shared/jobs.ts';
import type { UploadMatch } from '../../../shared/upload-preview.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/faces.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { addressInWords } from '../datasets/search.ts';
import { AlikeSection } from './alike-section.tsx';
import { stoppable } from '../jobs/job-words.ts';
import { useUpload, useUploadState } from './context.ts';
import { JobProgressView } from './job-progress-view.tsx';
import { ProblemTable } from './problem-table.tsx';
import { cannotCompare } from './standing.ts';
import { StandingSection } from './standing-section.tsx';
import { jobOf } from './upload-state.ts';
import { useUploadJob } from './use-standing.ts';
import { formatInWords, isUnix } from './time-options.ts';
import { WarningList } from './warning-list.tsx';

const w = words.upload.check;

/** What is about to be sent, said once more; a trial over all rows; and the way to send them. */
export function CheckStep() {
  const { actions } = useUpload();
  const match = useUploadState((state) => state.match.value);
  const dataset = useUploadState((state) => state.dataset);
  const rows = useUploadState(({ inspection }) => (inspection.face === 'full' ? inspection.value.rows : 0));
  const check = useUploadState((state) => state.check);
  const send = useUploadState((state) => state.send);
  const isUnread = useUploadState(cannotCompare);
  const job = useUploadJob(jobOf(check));
  if (!match || !dataset) return null;
  const found = job?.state === 'done' ? job.result?.ledger : undefined;
  // Nothing is known yet of a job that has just begun: buttons that came back for a moment would lose a press.
  const checking = check.face === 'starting' || (check.face === 'started' && (!job || stoppable(job.state)));
  const isBlocked = checking || send.face === 'starting' || isUnread;
  return (
    <div className="upload-step check-step">
      <section aria-labelledby="upload-check">
        <h2 id="upload-check">{w.heading(rows, addressInWords(dataset))}</h2>
        <Summary match={match} />
        <div className="form-buttons">
          <Button variant="primary" icon={Send} isDisabled={isBlocked} onPress={() => void actions.send()}>
            {found && found.rejected > 0 ? w.sendOthers(found.pending, found.rejected) : w.send(rows)}
          </Button>
          <Button icon={ListChecks} isDisabled={isBlocked} onPress={() => void actions.check()}>
            {job ? w.checkAgain : w.check}
          </Button>
        </div>
        {(send.face === 'starting' || check.face === 'starting') && (
          <Loading what={w.preparing} onCancel={actions.cancelStart} />
        )}
        {send.face === 'failed' && <ConnectionFailed error={send.error} />}
        {check.face === 'none' && <p className="quiet">{w.checkText}</p>}
        {check.face === 'failed' && <ConnectionFailed error={check.error} />}
        {check.face === 'started' && <Checked job={job} />}
      </section>
      <AlikeSection />
      <StandingSection />
      {match.warnings.length > 0 && (
        <section aria-labelledby="upload-before">
          <h2 id="upload-before">{w.warnings}</h2>
          <WarningList warnings={match.warnings} open />
        </section>
      )}
    </div>
  );
}

function Summary({ match }: { match: UploadMatch }) {
  const constants = useUploadState((state) => state.choices.constants);
  const every = match.fields.flatMap(({ path, constant, assumed }) => {
    const value = constant ? constants[path] : assumed;
    return value === null || value === undefined ? [] : [`${path} ${value}`];
  });
  const leftOut = match.columns.filter(({ to }) => to === null).map(({ column }) => column);
  const times = match.columns.flatMap(({ column, reading }) =>
    reading?.as === 'time'
      ? [w.timeColumn(column, formatInWords(reading.format), isUnix(reading.format) ? null : reading.zone)]
      : [],
  );
  return (
    <dl className="facts">
      {every.length > 0 && <Fact name={w.everyRow}>{every.join(', ')}</Fact>}
      {times.length > 0 && <Fact name={w.times}>{times.join('; ')}</Fact>}
      <Fact name={w.leftOut}>{leftOut.length === 0 ? w.nothingLeftOut : leftOut.join(', ')}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** How the trial goes, or what it found. */
function Checked({ job }: { job: UploadJob | null }) {
  if (!job) return <Loading what={w.preparing} />;
  if (job.state === 'running' || job.state === 'waiting')
    return <JobProgressView job={job} what={w.checking} />;
  if (job.state !== 'done' || !job.result)
    return job.state === 'failed' && job.error ? (
      <ConnectionFailed error={fromBody(job.error)} />
    ) : (
      <Alert tone="info">{w.stopped}</Alert>
    );
  const { ledger, problems } = job.result;
  return (
    <>
      {ledger.rejected === 0 ? (
        <Status className="upload-good">
          <CircleCheck size={16} aria-hidden />
          {w.good(ledger.rows)}
        </Status>
      ) : (
        <Alert tone="warning">{w.bad(ledger.pending, ledger.rejected)}</Alert>
      )}
      <ProblemTable problems={problems} trial />
    </>
  );
}
