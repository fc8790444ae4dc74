import { Pause, Play, Square } from 'lucide-react';
import type { UploadJob } from '../../../../shared/jobs/jobs.ts';
import { Button } from '../../../ui/button.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { words } from '../../../words/words.ts';
import { JobBar } from '../../jobs/job-state.tsx';
import { JobQuestion } from '../../jobs/job-question.tsx';
import { canResume, progressParts, stateText } from '../../jobs/job-words.ts';
import { useApp, useAppState } from '../../../contexts.ts';
import { CheckBox } from '../../../ui/check-box.tsx';
import { Status } from '../../../ui/status.tsx';

/** A running job: progress, rate, remaining time, and buttons to pause or cancel it. */
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

/** The time until the next retry. A lost link shows its reason beside it. */
const retryText = ({ waitsFor }: UploadJob, seconds: number): string =>
  waitsFor?.for === 'link' ? uploadWords.send.nextTry(seconds) : uploadWords.send.retry(seconds);

const w = words.jobs.endNotices;

/** Enables notifications of this and later jobs. The installed app needs no permission; a browser asks for it. */
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
