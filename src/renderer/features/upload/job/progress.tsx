import {
  CircleCheck,
  CircleDashed,
  CircleEqual,
  CircleHelp,
  CircleX,
  type LucideIcon,
  Pause,
  Play,
  Square,
} from 'lucide-react';
import type { Ledger, UploadResult } from '../../../../shared/upload/result.ts';
import { formatCount } from '../../../format/numbers.ts';
import { uploadWords } from '../../../words/upload.ts';
import type { UploadJob } from '../../../../shared/jobs/jobs.ts';
import { Button } from '../../../ui/button.tsx';
import { words } from '../../../words/words.ts';
import { JobBar, JobQuestion } from '../../jobs/job-state.tsx';
import { canResume, progressParts, stateText } from '../../jobs/job-words.ts';
import { useApp, useAppState } from '../../../contexts.ts';
import { CheckBox } from '../../../ui/check-box.tsx';
import { Status } from '../../../ui/status.tsx';

const ledgerW = uploadWords.ledger;
const icons: Record<LedgerPart, LucideIcon> = {
  inserted: CircleCheck,
  skipped: CircleEqual,
  rejected: CircleX,
  unknown: CircleHelp,
  pending: CircleDashed,
};

const notes: Record<LedgerPhase, Record<LedgerPart, string>> = {
  sending: { ...ledgerW.notes, ...ledgerW.notesWhile.sending },
  stopped: { ...ledgerW.notes, ...ledgerW.notesWhile.stopped },
  over: ledgerW.notes,
};

interface LedgerViewProps {
  readonly result: Pick<UploadResult, 'ledger' | 'fileRows'>;
  readonly phase: LedgerPhase;
}

/** The ledger of an upload: each row of the file is in exactly one part, and the parts add up. */
export function LedgerView({ result: { ledger, fileRows }, phase }: LedgerViewProps) {
  const counts = ledgerCounts(ledger);
  return (
    <div className="upload-ledger max-page stack">
      <div className="ledger-bar row items-stretch round" aria-hidden>
        {ledgerParts.map((part) => (
          <span key={part} data-part={part} style={{ flexGrow: counts[part] }} />
        ))}
      </div>
      <table aria-label={ledgerW.label}>
        <tbody>
          {ledgerParts.map((part) => {
            const rows = counts[part];
            const Icon = icons[part];
            return (
              <tr key={part} data-part={part} data-none={rows === 0 ? '' : undefined}>
                <th scope="row">
                  <span className="row">
                    <Icon size={16} aria-hidden />
                    {ledgerW.parts[part]}
                  </span>
                </th>
                <td className="numbers end">{formatCount(rows)}</td>
                <td className="ledger-note quiet">{rows > 0 && notes[phase][part]}</td>
              </tr>
            );
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{fileRows === undefined ? ledgerW.total : ledgerW.totalRecords(fileRows)}</th>
            <td className="numbers end">{formatCount(ledger.rows)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

export const ledgerParts = ['inserted', 'skipped', 'rejected', 'unknown', 'pending'] as const;
type LedgerPart = (typeof ledgerParts)[number];

/** The phase of the job: the same part has another note while rows are sent. */
type LedgerPhase = 'sending' | 'stopped' | 'over';

/** The number of rows in each part. */
export const ledgerCounts = (ledger: Ledger): Readonly<Record<LedgerPart, number>> => ({
  ...ledger,
  inserted: ledger.accepted - ledger.skipped,
});

export function JobProgressView({ job, what }: { job: UploadJob; what: string }) {
  const { cancel, pause, resume } = useApp().jobs.actions;
  const { nextTryMs } = job.progress;
  return (
    <div className="max-page stack">
      <p>
        {what}
        {job.state === 'waiting' && <strong> · {stateText(job)}</strong>}
      </p>
      <JobBar job={job} />
      {/* Screen readers should not announce every change; notices of jobs announce the important ones. */}
      <p className="numbers">{progressParts(job).join(' · ')}</p>
      {nextTryMs !== null && (
        <p className="tone-warning numbers">{retryText(job, Math.ceil(nextTryMs / 1000))}</p>
      )}
      {job.state === 'waiting' && job.error && <p className="tone-warning">{job.error.message}</p>}
      <JobQuestion job={job} />
      <div className="row wrap">
        {job.state === 'running' && (
          <Button icon={Pause} onPress={() => void pause(job.id)}>
            {words.jobs.pause}
          </Button>
        )}
        {canResume(job) && (
          <Button icon={Play} onPress={() => void resume(job.id)}>
            {words.jobs.resume}
          </Button>
        )}
        <Button icon={Square} onPress={() => void cancel(job.id)}>
          {words.cancel}
        </Button>
      </div>
      <EndNoticesSwitch />
    </div>
  );
}

/** A lost link shows its reason beside it. */
const retryText = ({ waitsFor }: UploadJob, seconds: number): string =>
  waitsFor?.for === 'link' ? uploadWords.send.nextTry(seconds) : uploadWords.send.retry(seconds);

const w = words.jobs.endNotices;

/** The installed app needs no permission; a browser asks for it. */
function EndNoticesSwitch() {
  const { setEnabled } = useApp().endNotices.actions;
  const status = useAppState('endNotices', (state) => state.status);
  const isDesktop = useAppState('workspace', (state) => state.files === 'dialog');
  const isWanted = useAppState('settings', (state) => state.values.notifyWhenDone);
  const { set } = useApp().settings.actions;
  if (status === 'none' && !isDesktop) return null;
  const change = (on: boolean) => (isDesktop ? set({ notifyWhenDone: on }) : void setEnabled(on));
  return (
    <div>
      <CheckBox label={w.label} checked={isDesktop ? isWanted : status === 'on'} onChange={change} />
      <Status className="field-note">{status === 'refused' ? w.refused : ''}</Status>
    </div>
  );
}
