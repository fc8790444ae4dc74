import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleSlash,
  CircleX,
  LoaderCircle,
  type LucideIcon,
  TriangleAlert,
  Download,
} from 'lucide-react';
import type { Job, JobArtifact } from '../../../shared/jobs/jobs.ts';
import { type JobMark, markOf, stateText } from './job-words.ts';
import { Bar } from '../../ui/bar.tsx';
import { words } from '../../words/words.ts';
import { progressShare } from './job-list.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { visibleLine } from '../../../shared/errors/errors.ts';
import { downloadAddress } from '../../api/files.ts';
import { formatBytes } from '../../format/numbers.ts';

const icons: Record<JobMark, LucideIcon> = {
  running: LoaderCircle,
  waiting: CirclePause,
  cancelled: CircleSlash,
  interrupted: CircleDashed,
  failed: CircleX,
  done: CircleCheck,
  unreadable: CircleAlert,
  discarded: CircleSlash,
  incomplete: TriangleAlert,
};

/** A job's state as an icon; the text is beside it. */
export function JobStateIcon({ mark, size }: { mark: JobMark; size: number }) {
  const Icon = icons[mark];
  return <Icon className="state" data-state={mark} size={size} aria-hidden />;
}

export function JobStateMark({ job }: { job: Job }) {
  const mark = markOf(job);
  return (
    <span className="job-state state row gap-1" data-state={mark}>
      <JobStateIcon mark={mark} size={14} />
      {stateText(job)}
    </span>
  );
}

export const JobBar = ({ job }: { job: Job }) => (
  <Bar label={words.jobs.progress(job.file)} share={progressShare(job)} />
);

export function JobQuestion({ job: { id, waitsFor } }: { job: Job }) {
  const { answer } = useApp().jobs.actions;
  if (waitsFor?.for !== 'answer') return null;
  const { rows, reason, areRecords } = waitsFor.question;
  return (
    <Alert
      tone="warning"
      actions={
        <>
          <Button onPress={() => void answer(id, 'stop')}>{words.jobs.answers.stop}</Button>
          <Button variant="primary" onPress={() => void answer(id, 'go_on')}>
            {words.jobs.answers.go_on}
          </Button>
        </>
      }
    >
      {words.jobs.manyRefused(rows, reason, areRecords)}
    </Alert>
  );
}

/** A download where the host streams files, otherwise a button to save it, unless it is there already. */
export function Artifact({ artifact }: { artifact: JobArtifact }) {
  const files = useAppState('workspace', (state) => state.files);
  const { save } = useApp().jobs.actions;
  const name = words.jobs.artifacts[artifact.kind];
  const shown = visibleLine(artifact.name);
  const size = <span className="quiet numbers">{formatBytes(artifact.bytes)}</span>;
  if (files === 'stream')
    return (
      <a
        className="flex-none one-line row gap-1"
        href={downloadAddress(artifact.token)}
        download={artifact.name}
        aria-label={words.jobs.download(shown)}
      >
        <Download size={14} aria-hidden />
        {name} {size}
      </a>
    );
  if (artifact.kind !== 'rejects')
    return (
      <span className="flex-none one-line row gap-1">
        {name}: {words.jobs.savedAs(shown)} {size}
      </span>
    );
  return (
    <Button
      variant="quiet"
      icon={Download}
      aria-label={words.jobs.save(shown)}
      onPress={() => void save(artifact.token)}
    >
      {name} {size}
    </Button>
  );
}

export const JobArtifacts = ({ job }: { job: Pick<Job, 'artifacts'> }) => (
  <span className="row gap-3">
    {job.artifacts.map((artifact) => (
      <Artifact key={artifact.token} artifact={artifact} />
    ))}
  </span>
);
