import { useEffect, useState } from 'react';
import { Play, Table, Upload, Send } from 'lucide-react';
import { fromBody, visibleText } from '../../../../shared/errors/errors.ts';
import type { DatasetType } from '../../../../shared/datasets/datasets.ts';
import type { Job, UploadJob } from '../../../../shared/jobs/jobs.ts';
import { isCheck } from '../../jobs/job-list.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { valueOr } from '../../../state/loadable.ts';
import { ConnectionFailed } from '../../connections/connection-failed.tsx';
import { addressText } from '../../datasets/search.ts';
import { Artifact, JobStateIcon, JobStateMark } from '../../jobs/job-state.tsx';
import { markOf, isResumable, resultText } from '../../jobs/job-words.ts';
import { PrimaryAction, useOtherConnection, useUploadProgress } from '../upload-parts.tsx';
import { LedgerView } from './progress.tsx';
import { targetRecordsQuery, uploadedRecordsQuery } from '../check/record-query.ts';
import { ProblemTable } from '../check/problem-table.tsx';
import { WarningList } from '../check/warning-list.tsx';
import { useApp, useAppState, useSession, useSessionState, useTab, useTabState } from '../../../contexts.ts';
import { openRecords } from '../../query/open-query.ts';
import { openUpload, openJob } from '../open-upload.ts';
import { useStore } from 'zustand';
import type { RejectedRow, RejectedRows, CellReason } from '../../../../shared/contract/upload.ts';
import { formatCount } from '../../../format/numbers.ts';
import { CheckBox } from '../../../ui/check-box.tsx';
import { Status } from '../../../ui/status.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { Empty, Failed, Loading } from '../../../ui/view-states.tsx';
import { Section } from '../../../ui/section.tsx';
import { rowsToSend, type RejectedRowsModel } from './rejected-rows.ts';

/** Why a row is rejected now: as it was sent last, or else as it was rejected first. Changed cells have no reason. */
function reasonsNow(
  row: RejectedRow,
  changed: ReadonlyMap<number, string> | undefined,
  again: readonly CellReason[] | undefined,
): readonly CellReason[] {
  const first = row.reasons.filter(({ column }) => (column === null ? !changed : !changed?.has(column)));
  return again && again.length > 0 ? again : first;
}

const fixRowsW = uploadWords.fixes;

/** Rows of the table at first, and how many each press adds: each has several fields. */
const rowsAtOnce = 50;

function FixRows({ job }: { job: UploadJob }) {
  const model = useTab('upload').fixes.forJob(job.id);
  const { store, actions } = model;
  useEffect(() => void actions.load(), [actions]);
  const { rejected, isSending, error, sentCount, wrong } = useStore(store);
  const toSend = useStore(store, (state) => rowsToSend(state).length);
  if (rejected.status === 'idle' || rejected.status === 'loading') return <Loading what={fixRowsW.loading} />;
  if (rejected.status === 'failed')
    return <Failed error={rejected.error} onRetry={() => void actions.load()} />;
  const { rows, isFixable, isCut, followUps } = rejected.value;
  const wrongCount = [...wrong.values()].filter((reasons) => reasons.length > 0).length;
  return (
    <Section className="stack" heading={fixRowsW.heading}>
      {followUps.map(({ job: id, lines }) => (
        <FollowUpLine key={id} id={id} rows={lines.length} />
      ))}
      {!isFixable && <p className="quiet">{fixRowsW.inFile}</p>}
      {isFixable && rows.length === 0 && !isCut && <p className="quiet">{fixRowsW.none}</p>}
      {rows.length > 0 && (
        <>
          <p className="quiet">{fixRowsW.text}</p>
          <PrimaryAction>
            <Button
              variant="primary"
              icon={Send}
              isDisabled={toSend === 0 || isSending}
              onPress={() => void actions.send()}
            >
              {fixRowsW.send(toSend)}
            </Button>
          </PrimaryAction>
          <Status>
            {isSending && fixRowsW.sending}
            {wrongCount > 0 && fixRowsW.wrong(wrongCount)}
            {sentCount !== null && fixRowsW.sent(sentCount)}
          </Status>
          {error && <Alert tone="error">{error.message}</Alert>}
          <FixTable model={model} rejected={rejected.value} />
        </>
      )}
      {rows.length === 0 && sentCount !== null && (
        <Status className="visually-hidden">{fixRowsW.sent(sentCount)}</Status>
      )}
      {isCut && <p className="quiet">{fixRowsW.cut}</p>}
    </Section>
  );
}

function FollowUpLine({ id, rows }: { id: string; rows: number }) {
  const session = useSession();
  const { lookUp } = useApp().jobs.actions;
  const job = useAppState('jobs', ({ jobs }) => jobs.find((job) => job.id === id));
  useEffect(() => {
    if (!job) void lookUp(id);
  }, [lookUp, id, job]);
  if (!job) return null;
  return (
    <p className="row wrap">
      {fixRowsW.followUp(rows)} <JobStateMark job={job} />
      <span className="quiet">{resultText(job).join(', ')}</span>
      <Button
        variant="quiet"
        aria-label={fixRowsW.openFollowUp(job.file)}
        onPress={() => openJob(session, job)}
      >
        {fixRowsW.open}
      </Button>
    </p>
  );
}

/** The columns that are shown at first: those with a reason, after the first ones, which tell rows apart. */
function firstColumns({ rows, used }: RejectedRows): number[] {
  const wrongColumns = rows.flatMap(({ reasons }) => reasons.flatMap(({ column }) => column ?? []));
  return [...new Set([...used.slice(0, 2), ...wrongColumns])].toSorted((a, b) => a - b);
}

function FixTable({ model, rejected }: { model: RejectedRowsModel; rejected: RejectedRows }) {
  const [limit, setLimit] = useState(rowsAtOnce);
  const [showsAll, setShowsAll] = useState(false);
  const { columns, used, rows } = rejected;
  // The columns stay while rows are sent.
  const [initial] = useState(() => firstColumns(rejected));
  const shown = showsAll ? used.toSorted((a, b) => a - b) : initial;
  return (
    <>
      {initial.length < used.length && (
        <CheckBox label={fixRowsW.allColumns(used.length)} checked={showsAll} onChange={setShowsAll} />
      )}
      {/* oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
      <section className="fix-table scroll-x" aria-label={fixRowsW.table} tabIndex={0}>
        <table className="table upload-table">
          <thead>
            <tr>
              <th scope="col" className="end">
                {fixRowsW.line}
              </th>
              {shown.map((column) => (
                <th key={column} scope="col">
                  {visibleText(columns[column] ?? '')}
                </th>
              ))}
              <th scope="col">{fixRowsW.reason}</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, limit).map((row) => (
              <FixRow key={row.line} model={model} row={row} shown={shown} columns={columns} />
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > limit && (
        <Button onPress={() => setLimit(limit + rowsAtOnce)}>{fixRowsW.more(rows.length - limit)}</Button>
      )}
    </>
  );
}

interface FixRowProps {
  readonly model: RejectedRowsModel;
  readonly row: RejectedRow;
  readonly shown: readonly number[];
  readonly columns: readonly string[];
}

function FixRow({ model: { store, actions }, row, shown, columns }: FixRowProps) {
  const edit = useStore(store, ({ edits }) => edits.get(row.line));
  const wrong = useStore(store, (state) => state.wrong.get(row.line));
  const reasons = reasonsNow(row, edit, wrong);
  const otherReasons = reasons.filter(
    ({ column }) => column === null || !shown.includes(column) || row.cells === null,
  );
  return (
    <tr>
      <th scope="row" className="end numbers">
        {formatCount(row.line)}
      </th>
      {shown.map((column) => (
        <td key={column}>
          {row.cells === null ? (
            <span className="quiet">{fixRowsW.unclear}</span>
          ) : (
            <TextField
              label={fixRowsW.cell(columns[column] ?? '', row.line)}
              isLabelHidden
              name={`cell-${row.line}-${column}`}
              value={edit?.get(column) ?? row.cells[column] ?? ''}
              onChange={(text) => actions.edit(row, column, text)}
              problem={reasons.find((reason) => reason.column === column)?.message}
            />
          )}
        </td>
      ))}
      <td>
        {visibleText(otherReasons.map(({ message }) => message).join(' '))}
        {row.cells === null && ` ${fixRowsW.fixInFile}`}
      </td>
    </tr>
  );
}

const w = uploadWords.ledger;

export function LedgerStep() {
  const { sendJob } = useUploadProgress();
  const orderError = useAppState('jobs', ({ error, failedJob }) =>
    failedJob === null || failedJob === sendJob?.id ? error : null,
  );
  const other = useOtherConnection(sendJob);
  const fixedRows = useAppState('jobs', ({ jobs }) => fixedRowsOf(sendJob?.id, jobs));
  const session = useSession();
  if (!sendJob)
    return (
      <Empty action={<Button onPress={() => openUpload(session)}>{w.another}</Button>}>{w.discarded}</Empty>
    );
  const { result, error, state } = sendJob;
  const heading = headingOf(sendJob, fixedRows);
  const rejects = sendJob.artifacts.filter(({ kind }) => kind === 'rejects');
  return (
    <div className="upload-step stack gap-4 full pad-3 scroll">
      <section aria-label={heading}>
        <h2 className="large row">
          <JobStateIcon mark={markOf(sendJob)} size={18} />
          {heading}
        </h2>
        {error && state !== 'cancelled' && <ConnectionFailed error={fromBody(error)} />}
        {canSendRest(sendJob) && <p className="quiet">{restText(sendJob)}</p>}
        {result ? (
          <LedgerView result={result} phase={canSendRest(sendJob) ? 'stopped' : 'over'} />
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
        <Section heading={w.warnings}>
          <WarningList warnings={result.warnings} />
        </Section>
      )}
    </div>
  );
}

/** Whether no rows are left to send. Some may still be unknown. */
const isAllSent = ({ result }: UploadJob): boolean => result?.ledger.pending === 0;

/** Whether Resume sends what is left: not of a file that has changed, or that another job uploads or has uploaded. */
export const canSendRest = ({ state, error }: Pick<UploadJob, 'state' | 'error'>): boolean =>
  isResumable(state) && error?.code !== 'file_changed' && error?.code !== 'upload_repeated';

/** What Resume does. */
const restText = (job: UploadJob): string =>
  isAllSent(job) ? w.nothingLeft(job.result?.ledger.unknown ?? 0) : w.goesOn;

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
            variant={canSendRest(job) && !isAllSent(job) ? 'primary' : 'plain'}
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
