import { X, Database, FolderSync, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import type { Job } from '../../../shared/jobs/jobs.ts';
import { useApp, useAppState, useSession } from '../../contexts.ts';
import { valueOr } from '../../state/loadable.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Failed, Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import './mirrors.css';
import { Form } from '../../ui/form.tsx';
import { type Dataset, canBeDivided } from '../../../shared/datasets/datasets.ts';
import { queryOfWells } from '../../../shared/language/scope.ts';
import { minuteMs, useTimeOfDay } from '../../state/use-now.ts';
import { useTask } from '../../state/latest-task.ts';
import { OptionGroup } from '../../ui/option-group.tsx';
import { SelectField } from '../../ui/select-box.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { NamesOptions, UnitOptions } from '../export/column-options.tsx';
import type { MirrorChoice } from './mirrors.ts';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';
import { fromBody, visibleLine } from '../../../shared/errors/errors.ts';
import type { FileToken } from '../../../shared/files/files.ts';
import type { Mirror } from '../../../shared/contract/export.ts';
import { formatBytes } from '../../format/numbers.ts';
import { formatAgo } from '../../format/times.ts';
import { formatZoned } from '../../format/zoned.ts';
import { JobActions } from '../jobs/job-actions.tsx';
import { isActive } from '../../../shared/jobs/job-states.ts';
import { JobBar, JobStateMark } from '../jobs/job-state.tsx';
import { errorText, progressText } from '../jobs/job-words.ts';
import { openSqlRows } from '../query/open-query.ts';

function MirrorRow({ mirror }: { mirror: Mirror }) {
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
  // Until the service has answered, the mirror has its job of the last time.
  const updating = useTask(mirrors.actions.update);
  const isRunning = updating.isRunning || (job !== undefined && isActive(job.state));
  const error = problem ? fromBody(problem).message : ((job && errorText(job)) ?? opening.error?.message);
  return (
    <li className="mirror pad-y-3 stack gap-1" aria-label={name}>
      <div className="row">
        <strong className="ellipsis">{name}</strong>
        <span className="quiet ellipsis mirror-source">
          {provider}/{dataset} · {connection.name}
        </span>
        {content && (
          <span className="quiet">{w.updated(formatAgo(content.updated, now) ?? content.updated)}</span>
        )}
      </div>
      <p className="quiet numbers">{content ? factsOf(content).join(' · ') : w.incomplete}</p>
      {job && job.state !== 'done' && <UpdateJob job={job} />}
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
          onPress={() => void updating.start(id)}
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

const factsOf = ({ rows, bytes, files, verified, last }: NonNullable<Mirror['content']>): string[] => [
  w.rows(rows),
  formatBytes(bytes),
  w.fileCount(files),
  ...(verified ? [w.verified] : []),
  ...(last === null ? [] : [w.last(formatZoned(last, 'UTC'))]),
];

/** Mirrors are exports, which have no report, and a row without a menu. */
const ignore = (): void => undefined;

function UpdateJob({ job }: { job: Job }) {
  return (
    <>
      <div className="row">
        <JobStateMark job={job} />
        <span className="quiet numbers">{isActive(job.state) && progressText(job).join(' · ')}</span>
        <JobActions job={job} onOpen={ignore} menuAt={null} onMenuClose={ignore} />
      </div>
      {isActive(job.state) && <JobBar job={job} />}
    </>
  );
}

/** In milliseconds. */
const overlaps = {
  '30m': 30 * minuteMs,
  '2h': 120 * minuteMs,
  '12h': 720 * minuteMs,
  '1d': 1440 * minuteMs,
} as const;
type Overlap = keyof typeof overlaps;
const overlapIds = ['30m', '2h', '12h', '1d'] as const satisfies readonly Overlap[];

function MirrorForm({ dataset }: { dataset: Dataset }) {
  const { start } = useApp().mirrors.actions;
  const { connection } = useSession();
  const usesDialog = useAppState('workspace', ({ files }) => files === 'dialog');
  const selected = useSelectedWells();
  const [wells, setWells] = useState<'all' | 'selected'>('all');
  const [overlap, setOverlap] = useState<Overlap>('2h');
  const [rest, setRest] = useState<Pick<MirrorChoice, 'period' | 'columnNames' | 'units' | 'folderName'>>({
    period: 'day',
    columnNames: 'dotted',
    units: 'stored',
    folderName: dataset.dataset,
  });
  const set = (change: Partial<typeof rest>) => setRest((before) => ({ ...before, ...change }));
  const address = `${dataset.provider}/${dataset.dataset}`;
  const assetIds = wells === 'all' ? [] : selected.map(({ assetId }) => assetId);
  const starting = useTask((query: string) =>
    start({ ...rest, connection, dataset, overlapMs: overlaps[overlap], query }),
  );
  const isNameless = !usesDialog && rest.folderName.trim() === '';
  return (
    <Form
      className="box pad-3 surface-quiet stack gap-3"
      aria-label={w.formLabel(address)}
      onSubmit={() => {
        if (!isNameless && !starting.isRunning) void starting.start(queryOfWells(dataset.type, assetIds));
      }}
    >
      <h3>{w.formLabel(address)}</h3>
      {selected.length > 0 && (
        <OptionGroup
          label={w.wells}
          layout="line"
          value={wells}
          options={[
            { id: 'all', text: w.allWells },
            { id: 'selected', text: w.selectedWells(selected.length) },
          ]}
          onChange={setWells}
        />
      )}
      <div className="columns gap-3">
        {canBeDivided(dataset.type) && (
          <>
            <SelectField
              label={w.files}
              value={rest.period}
              options={(['day', 'month'] as const).map((id) => ({ id, text: w.periods[id] }))}
              onChange={(period) => set({ period })}
            />
            <SelectField
              label={w.overlap}
              value={overlap}
              options={overlapIds.map((id) => ({ id, text: w.overlaps[id] }))}
              onChange={setOverlap}
            />
          </>
        )}
        <UnitOptions value={rest} onChange={set} />
        <NamesOptions value={rest} onChange={set} />
      </div>
      {!canBeDivided(dataset.type) && <p className="quiet">{w.noTime}</p>}
      {!usesDialog && (
        <TextField
          label={w.folderName}
          name="folderName"
          value={rest.folderName}
          onChange={(folderName) => set({ folderName })}
          note={w.folderNote}
          problem={isNameless ? w.folderMissing : undefined}
        />
      )}
      {starting.error && <Failed error={starting.error} />}
      <div className="row">
        <Button type="submit" variant="primary" isPending={starting.isRunning}>
          {usesDialog ? w.selectFolder : w.start}
        </Button>
      </div>
    </Form>
  );
}

const w = words.mirrors;

const statesOf = (jobs: readonly Job[]): string =>
  jobs
    .filter(({ kind }) => kind === 'export')
    .map(({ id, state }) => `${id} ${state}`)
    .join();

export default function MirrorsDialog() {
  const { mirrors, jobs } = useApp();
  const { actions } = mirrors;
  const { dataset, list, problem } = useAppState('mirrors', (state) => state);
  const listed = valueOr(list, []);
  useEffect(() => {
    void actions.load();
    // What a folder has changes when a job ends.
    return jobs.store.subscribe((now, before) => {
      if (statesOf(now.jobs) !== statesOf(before.jobs)) void actions.load();
    });
  }, [actions, jobs]);
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={actions.close} className="palette-back">
      <Modal className="max-page wide popover">
        <Dialog className="mirrors-dialog stack gap-3 scroll" data-help="mirror.md">
          <div className="between row">
            <Heading slot="title">{w.heading}</Heading>
            <Button variant="quiet" icon={X} aria-label={words.close} onPress={actions.close} />
          </div>
          <p className="quiet">{w.text}</p>
          {dataset && <MirrorForm key={`${dataset.provider}/${dataset.dataset}`} dataset={dataset} />}
          {problem && <Alert tone="error">{problem.message}</Alert>}
          {list.status === 'loading' && <Loading what={w.loading} />}
          {list.status === 'failed' && <Failed error={list.error} onRetry={() => void actions.load()} />}
          {list.status === 'loaded' && listed.length === 0 && !dataset && <p className="quiet">{w.none}</p>}
          {listed.length > 0 && (
            <ul className="parted" aria-label={w.list}>
              {listed.map((mirror) => (
                <MirrorRow key={mirror.id} mirror={mirror} />
              ))}
            </ul>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
