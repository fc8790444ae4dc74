import { Send } from 'lucide-react';
import { useEffect, useState, useId } from 'react';
import { useStore } from 'zustand';
import { visibleText } from '../../../../shared/errors/visible-text.ts';
import type { UploadJob } from '../../../../shared/jobs/jobs.ts';
import type { RejectedRow, RejectedRows } from '../../../../shared/upload/fixes.ts';
import { useAppState, useSession } from '../../../contexts.ts';
import { formatCount } from '../../../format/numbers.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { CheckBox } from '../../../ui/check-box.tsx';
import { Status } from '../../../ui/status.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { Failed, Loading } from '../../../ui/view-states.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { JobStateMark } from '../../jobs/job-state.tsx';
import { resultText } from '../../jobs/job-words.ts';
import { openJob } from '../open-upload.ts';
import { PrimaryAction } from '../primary-action.tsx';
import { createRejectedRows, reasonsNow, rowsToSend, type RejectedRowsModel } from './rejected-rows.ts';

const w = uploadWords.fixes;

/** Rows of the table at first, and how many each press adds: each has several fields. */
const rowsAtOnce = 50;

/** The rejected rows of an upload: their wrong cells are fixed in place, and sent as an upload that follows it. */
export function FixRows({ job }: { job: UploadJob }) {
  const fixesId = useId();
  const { app } = useSession();
  const [model] = useState(() => createRejectedRows(app.api, job.id));
  const { store, actions } = model;
  useEffect(() => {
    void actions.load();
    return actions.close;
  }, [actions]);
  const { rejected, isSending, error, sentCount, wrong } = useStore(store);
  const toSend = useStore(store, (state) => rowsToSend(state).length);
  if (rejected.status === 'idle' || rejected.status === 'loading') return <Loading what={w.loading} />;
  if (rejected.status === 'failed')
    return <Failed error={rejected.error} onRetry={() => void actions.load()} />;
  const { rows, isFixable, isCut, followUps } = rejected.value;
  const wrongCount = [...wrong.values()].filter((reasons) => reasons.length > 0).length;
  return (
    <section aria-labelledby={fixesId} className="stack">
      <h2 id={fixesId}>{w.heading}</h2>
      {followUps.map(({ job: id, lines }) => (
        <FollowUpLine key={id} id={id} rows={lines.length} />
      ))}
      {!isFixable && <p className="quiet">{w.inFile}</p>}
      {isFixable && rows.length === 0 && !isCut && <p className="quiet">{w.none}</p>}
      {rows.length > 0 && (
        <>
          <p className="quiet">{w.text}</p>
          <PrimaryAction>
            <Button
              variant="primary"
              icon={Send}
              isDisabled={toSend === 0 || isSending}
              onPress={() => void actions.send()}
            >
              {w.send(toSend)}
            </Button>
          </PrimaryAction>
          <Status>
            {isSending && w.sending}
            {wrongCount > 0 && w.wrong(wrongCount)}
            {sentCount !== null && w.sent(sentCount)}
          </Status>
          {error && <Alert tone="error">{error.message}</Alert>}
          <FixTable model={model} rejected={rejected.value} />
        </>
      )}
      {rows.length === 0 && sentCount !== null && (
        <Status className="visually-hidden">{w.sent(sentCount)}</Status>
      )}
      {isCut && <p className="quiet">{w.cut}</p>}
    </section>
  );
}

function FollowUpLine({ id, rows }: { id: string; rows: number }) {
  const session = useSession();
  const job = useAppState('jobs', ({ jobs }) => jobs.find((job) => job.id === id));
  if (!job) return null;
  return (
    <p className="row wrap">
      {w.followUp(rows)} <JobStateMark job={job} />
      <span className="quiet">{resultText(job).join(', ')}</span>
      <Button variant="quiet" aria-label={w.openFollowUp(job.file)} onPress={() => openJob(session, job)}>
        {w.open}
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
        <CheckBox label={w.allColumns(used.length)} checked={showsAll} onChange={setShowsAll} />
      )}
      {/* oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
      <section className="fix-table" aria-label={w.table} tabIndex={0}>
        <table className="table upload-table">
          <thead>
            <tr>
              <th scope="col" className="end">
                {w.line}
              </th>
              {shown.map((column) => (
                <th key={column} scope="col">
                  {visibleText(columns[column] ?? '')}
                </th>
              ))}
              <th scope="col">{w.reason}</th>
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
        <Button onPress={() => setLimit(limit + rowsAtOnce)}>{w.more(rows.length - limit)}</Button>
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
  const wrong = useStore(store, (state) => state.wrong);
  const edits = edit ? new Map([[row.line, edit]]) : new Map<number, ReadonlyMap<number, string>>();
  const reasons = reasonsNow(row, { edits, wrong });
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
            <span className="quiet">{w.unclear}</span>
          ) : (
            <TextField
              label={w.cell(columns[column] ?? '', row.line)}
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
        {row.cells === null && ` ${w.fixInFile}`}
      </td>
    </tr>
  );
}
