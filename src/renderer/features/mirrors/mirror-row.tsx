import { Database, FolderSync, Trash2 } from 'lucide-react';
import { fromBody } from '../../../shared/errors/errors.ts';
import type { FileToken } from '../../../shared/files/files.ts';
import type { Mirror } from '../../../shared/mirrors/mirrors.ts';
import { visibleLine } from '../../../shared/errors/visible-text.ts';
import { formatBytes } from '../../format/numbers.ts';
import { formatAgo } from '../../format/times.ts';
import { formatZoned } from '../../format/zoned.ts';
import { useApp, useAppState, useSession } from '../../contexts.ts';
import { minuteMs, useTimeOfDay } from '../../state/use-now.ts';
import { useTask } from '../../state/use-task.ts';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import { JobActions } from '../jobs/job-actions.tsx';
import { isActive } from '../../../shared/jobs/job-states.ts';
import { JobBar, JobStateMark } from '../jobs/job-state.tsx';
import { errorText, progressText } from '../jobs/job-words.ts';
import { openSqlRows } from '../query/open-query.ts';

const w = words.mirrors;

/** What a mirror has, the job that updates it, and what can be done with it. */
export function MirrorRow({ mirror }: { mirror: Mirror }) {
  const { id, provider, dataset, connection, content, problem } = mirror;
  const { mirrors, sqlTables } = useApp();
  const job = useAppState('jobs', ({ jobs }) => jobs.find(({ id: jobId }) => jobId === mirror.job));
  const now = useTimeOfDay(minuteMs);
  const name = visibleLine(mirror.name);
  const session = useSession();
  const opening = useTask(async (folder: FileToken) => {
    const table = await sqlTables.actions.addFolder(folder);
    await openSqlRows(session, { provider, dataset }, table.name);
    mirrors.actions.close();
  });
  const isRunning = job !== undefined && isActive(job.state);
  const isUnfinished = job !== undefined && job.state !== 'done';
  const error = problem ? fromBody(problem).message : ((job && errorText(job)) ?? opening.error?.message);
  const facts = content
    ? [
        w.rows(content.rows),
        formatBytes(content.bytes),
        w.fileCount(content.files),
        ...(content.verified === true ? [w.verified] : []),
        ...(content.last === null ? [] : [w.last(formatZoned(content.last, 'UTC'))]),
      ]
    : [w.incomplete];
  return (
    <li className="mirror stack gap-1" aria-label={name}>
      <div className="row">
        <strong className="ellipsis">{name}</strong>
        <span className="quiet ellipsis mirror-source">
          {provider}/{dataset} · {connection.name}
        </span>
        {content && (
          <span className="quiet">{w.updated(formatAgo(content.updated, now) ?? content.updated)}</span>
        )}
      </div>
      <p className="quiet numbers">{facts.join(' · ')}</p>
      {job && isUnfinished && (
        <div className="row">
          <JobStateMark job={job} />
          <span className="quiet numbers">{isRunning && progressText(job).join(' · ')}</span>
          <JobActions job={job} onOpen={ignore} menuAt={null} onMenuClose={ignore} />
        </div>
      )}
      {job && isRunning && <JobBar job={job} />}
      {error !== undefined && error !== null && <p className="tone-error">{error}</p>}
      {content?.verified === false && <p className="tone-warning">{w.unverified}</p>}
      {content?.warnings.map((warning) => (
        <p key={warning} className="tone-warning">
          {warning}
        </p>
      ))}
      <div className="row wrap">
        <Button
          icon={FolderSync}
          aria-label={w.updateNamed(name)}
          isDisabled={isRunning}
          onPress={() => void mirrors.actions.update(id)}
        >
          {w.update}
        </Button>
        <Button
          icon={Database}
          aria-label={w.openNamed(name)}
          isDisabled={!content || opening.isRunning}
          onPress={() => void opening.start(mirror.folder)}
        >
          {w.open}
        </Button>
        <Button
          variant="quiet"
          icon={Trash2}
          aria-label={w.removeNamed(name)}
          isDisabled={isRunning}
          onPress={() => void mirrors.actions.remove(id)}
        >
          {w.remove}
        </Button>
      </div>
    </li>
  );
}

/** Mirrors are exports, which have no report, and a row without a menu. */
const ignore = (): void => undefined;
