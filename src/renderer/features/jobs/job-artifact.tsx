import { Download } from 'lucide-react';
import type { Job, JobArtifact } from '../../../shared/jobs/jobs.ts';
import { visibleLine } from '../../../shared/errors/errors.ts';
import { downloadAddress } from '../../api/files.ts';
import { formatBytes } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';

/**
 * A job's file: a download where the host streams files, otherwise a button to save it, unless it is there
 * already.
 */
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
