import { lazy, Suspense, useEffect, useState } from 'react';
import { isActive } from '../../../../shared/jobs/job-states.ts';
import { CircleCheck, ListChecks, Play, Send, ShieldCheck, GitCompareArrows } from 'lucide-react';
import { fromBody, type AppError } from '../../../../shared/errors/errors.ts';
import type { UploadJob } from '../../../../shared/jobs/jobs.ts';
import type { UploadMatch } from '../../../../shared/upload/preview.ts';
import type { FileWarning } from '../../../../shared/upload/upload.ts';
import type { Ledger } from '../../../../shared/upload/result.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { Fact } from '../../../ui/fact.tsx';
import { Failed, Loading } from '../../../ui/view-states.tsx';
import { Status } from '../../../ui/status.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { ConnectionFailed } from '../../connections/connection-failed.tsx';
import { addressText } from '../../datasets/search.ts';
import { SimilarUploads } from '../queue/similar-uploads.tsx';
import { type FindingGroup, groupFindings, findingCount } from './findings.ts';
import { JobProgressView } from '../job/progress.tsx';
import { wellConstant } from '../columns/mapping-choices.ts';
import { jobOf, cannotCompare, placeKind } from '../upload-state.ts';
import { useWellName } from '../wells/well-views.tsx';
import { scopeOf } from '../../../../shared/wells/wells.ts';
import { useUploadJob, useUploadParts, PrimaryAction } from '../upload-parts.tsx';
import { conversionText } from '../columns/column-cells.tsx';
import { formatLabel, isUnix } from '../columns/column-format.tsx';
import { useTab, useTabState, useApp, useAppState, useSession } from '../../../contexts.ts';
import { ProblemTable } from './problem-table.tsx';
import { FindingList } from './warning-list.tsx';
import { fieldName } from '../columns/fields.ts';
import { useTabWells } from '../../tabs/use-tab-wells.ts';
import { useTask } from '../../../state/latest-task.ts';
import { words } from '../../../words/words.ts';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { useStore } from 'zustand';
import { valueOr } from '../../../state/loadable.ts';
import { isAssetPath, type Dataset } from '../../../../shared/datasets/datasets.ts';
import { rangeFieldOf } from '../../../../shared/language/text/conditions.ts';
import { toleranceOf } from '../../../../shared/quality/comparison.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { Section } from '../../../ui/section.tsx';
import { queryOfRange } from '../../quality/place-text.ts';
import { RunProgress } from '../../quality/run-progress.tsx';
import { openQuery } from '../../query/open-query.ts';

const ComparisonView = lazy(() =>
  import('../../quality/comparison-view.tsx').then((module) => ({ default: module.ComparisonView })),
);

const comparingWords = words.quality.comparing;

function FileComparisonSection({ dataset }: { dataset: Dataset }) {
  const { actions, comparison, connection, mapping } = useTab('upload');
  const { file: uploadFile, reading } = useUploadParts('file', 'reading');
  const file = uploadFile.status === 'ready' ? uploadFile.file : null;
  const kind = useTabState('upload', placeKind);
  const isStarting = useStore(comparison.store, (state) => state.isStarting);
  const session = useSession();
  const [tolerance, setTolerance] = useState('0');
  const [problem, setProblem] = useState<string>();
  const field = rangeFieldOf(dataset.type);
  if (!file || !field) return null;
  const { provider, dataset: name } = dataset;
  return (
    <Section level={3} className="stack gap-3" heading={comparingWords.fileHeading}>
      <p className="quiet">{comparingWords.fileText(addressText(dataset))}</p>
      <Form
        className="row above-3 wrap gap-3 items-end"
        onSubmit={() => {
          if (toleranceOf(tolerance) === null) return setProblem(comparingWords.badTolerance);
          const request = { connection, provider, dataset: name, source: file.token, reading, tolerance };
          void comparison.start((quality, signal) =>
            quality.compareFile({ ...request, mapping: mapping() }, { signal }),
          );
        }}
      >
        <TextField
          className="quality-tolerance"
          name="tolerance"
          label={comparingWords.tolerance}
          value={tolerance}
          placeholder={comparingWords.toleranceHint}
          problem={problem}
          onChange={(text) => {
            setTolerance(text);
            setProblem(undefined);
          }}
        />
        <Button type="submit" icon={GitCompareArrows} isPending={isStarting}>
          {comparingWords.start}
        </Button>
      </Form>
      <RunProgress run={comparison} what={comparingWords.loading} idle={null}>
        {(loadedReport) =>
          loadedReport.kind === 'comparison' && (
            <Suspense fallback={<Loading what={comparingWords.loading} />}>
              <ComparisonView
                report={loadedReport.report}
                title={file.name}
                names={{ source: comparingWords.theFile, against: comparingWords.theDataset }}
                onShow={(_, from, to) =>
                  openQuery(
                    session,
                    dataset,
                    queryOfRange(loadedReport.report.queries.against, field, from, to),
                  )
                }
                rows={{ kind, show: (line) => void actions.showLine(line, null) }}
              />
            </Suspense>
          )
        }
      </RunProgress>
    </Section>
  );
}

const existingRecordsW = uploadWords.existing;

function ExistingRecordsSection() {
  const { actions } = useTab('upload');
  const state = useUploadParts('existingRecords', 'existing', 'wellNames', 'match', 'dataset');
  const { existingRecords: records, existing } = state;
  const wells = state.wellNames.status;
  const match = state.match.value;
  const areRecords = match?.folded != null;
  // The wells of the rows are known once their names are matched.
  useEffect(() => {
    if (match && wells !== 'loading') void actions.countExisting(false);
  }, [actions, wells, match]);
  const dataset = state.dataset ? addressText(state.dataset) : '';
  const isForbidden = records.status === 'failed' && records.error.is('forbidden');
  const again = () => void actions.countExisting(true);
  return (
    <Section heading={existingRecordsW.heading}>
      {records.status === 'idle' && wells === 'loading' && <Loading what={existingRecordsW.waiting} />}
      {records.status === 'loading' && (
        <Loading what={existingRecordsW.counting} onCancel={actions.cancelCounting} />
      )}
      {records.status === 'failed' && !isForbidden && (
        <ConnectionFailed error={records.error} onRetry={again} />
      )}
      {isForbidden && (
        <Alert
          tone="warning"
          actions={
            existing === 'skip' ? (
              <>
                <Button onPress={() => actions.setExistingMode('insert')}>
                  {existingRecordsW.insertAll[areRecords ? 'records' : 'rows']}
                </Button>
                <Button variant="quiet" onPress={again}>
                  {words.tryAgain}
                </Button>
              </>
            ) : undefined
          }
        >
          {existing === 'skip' ? existingRecordsW.cannotRead(dataset) : existingRecordsW.notCompared(dataset)}
        </Alert>
      )}
      {records.status === 'idle' && wells !== 'loading' && (
        <div className="row wrap">
          <Button onPress={again}>{existingRecordsW.count}</Button>
        </div>
      )}
      {records.status === 'loaded' && <p>{existingRecordsW.found(records.value)}</p>}
      <OptionGroup
        layout="list"
        label={existingRecordsW.choice(areRecords)}
        value={existing}
        options={[
          { id: 'skip', text: existingRecordsW.skip },
          { id: 'insert', text: existingRecordsW.insert(areRecords) },
        ]}
        onChange={actions.setExistingMode}
      />
    </Section>
  );
}

const QualityView = lazy(() =>
  import('../../quality/quality-view.tsx').then((module) => ({ default: module.QualityView })),
);

export function FileQualitySection() {
  const { api } = useApp();
  const { mapping } = useTab('upload');
  const { file: uploadFile, reading } = useUploadParts('file', 'reading');
  const file = uploadFile.status === 'ready' ? uploadFile.file : null;
  const { spikeThreshold, minFlatRecords } = useAppState('settings', (state) => state.values);
  const checking = useTask((_: void, signal) => {
    if (!file) return Promise.reject(new Error('there is no file'));
    const columns = Object.entries(mapping().columns);
    const times = Object.fromEntries(columns.map(([column, { format, join }]) => [column, { format, join }]));
    const request = { source: file.token, reading, times, spikeThreshold, minFlatRecords };
    return api.quality.file(request, { signal });
  });
  const w = words.quality;
  if (!file) return null;
  return (
    <Section level={3} className="stack gap-3" heading={w.file.heading}>
      <p className="quiet">{w.file.text}</p>
      {checking.value === null && !checking.isRunning && (
        <div className="row">
          <Button icon={ShieldCheck} onPress={() => void checking.start()}>
            {w.tab.start}
          </Button>
        </div>
      )}
      {checking.isRunning && <Loading what={w.loading} onCancel={checking.reset} />}
      {checking.error && <Failed error={checking.error} isInForm onRetry={() => void checking.start()} />}
      {checking.value && (
        <Suspense fallback={<Loading what={w.loading} />}>
          <QualityView report={checking.value} title={file.name} zone={null} />
        </Suspense>
      )}
    </Section>
  );
}

const w = uploadWords.check;

/** The check of all rows starts automatically. */
export function CheckStep() {
  const { actions } = useTab('upload');
  const state = useUploadParts('dataset', 'isDatasetAssumed', 'check', 'send', 'match', 'inspection');
  const { dataset, check, send } = state;
  const match = state.match.value;
  const isUnread = useTabState('upload', cannotCompare);
  const job = useUploadJob(jobOf(check));
  const selectionWarnings = useSelectionWarning();
  if (!match || !dataset) return null;
  const result = job?.state === 'done' ? job.result : undefined;
  const ledger = result?.ledger;
  const warnings = [...selectionWarnings, ...(result?.warnings ?? match.warnings)];
  const groups = groupFindings(warnings, result?.problems ?? []);
  // The state of a new job is unknown at first. Buttons that appear for a moment would lose a press.
  const checking =
    check.status === 'starting' || (check.status === 'started' && (!job || isActive(job.state)));
  const count = match.folded?.records ?? valueOr(state.inspection, null)?.rows ?? 0;
  const isBusy = checking || send.status === 'starting' || isUnread;
  // Only what was checked to its end can be sent.
  const isBlocked = groups.some(({ severity }) => severity === 'blocking');
  const canSend = job?.state === 'done' && !isBusy && !state.isDatasetAssumed && !isBlocked;
  const hasNothingNew = ledger !== undefined && ledger.pending === 0;
  return (
    <div className="upload-step stack gap-4 full pad-3 scroll">
      <Section heading={w.heading(count, addressText(dataset), match.folded != null)}>
        <Summary match={match} />
        <PrimaryAction>
          <Button icon={ListChecks} isDisabled={isBusy} onPress={() => void actions.check()}>
            {job ? w.checkAgain : w.check}
          </Button>
          <Button
            variant={
              result && groups.every(({ severity }) => severity === 'information') ? 'primary' : 'plain'
            }
            icon={Send}
            isDisabled={!canSend || hasNothingNew}
            onPress={() => void actions.send()}
          >
            {sendLabel(count, ledger, match.folded != null)}
          </Button>
        </PrimaryAction>
        {(send.status === 'starting' || check.status === 'starting') && (
          <Loading what={w.preparing} onCancel={actions.cancelStart} />
        )}
        {isUnread && <p className="quiet">{uploadWords.existing.blocked}</p>}
        {send.status === 'failed' && <SendFailed error={send.error} />}
        {check.status === 'none' && <p className="quiet">{w.checkText}</p>}
        {check.status === 'failed' && <ConnectionFailed error={check.error} />}
        {check.status === 'started' && <CheckResult job={job} groups={groups} />}
      </Section>
      <FindingsView groups={groups} />
      <FileQualitySection />
      <FileComparisonSection dataset={dataset} />
      <SimilarUploads canSend={canSend} />
      <ExistingRecordsSection />
    </div>
  );
}

/** An earlier upload of the file can be resumed; sending it again takes a second decision. */
function SendFailed({ error }: { error: AppError }) {
  const { actions } = useTab('upload');
  const existing = useTabState('upload', (state) => state.existing);
  if (!error.is('upload_repeated')) return <ConnectionFailed error={error} />;
  const { isRunning } = error.details;
  return (
    <Failed
      error={error}
      extraAction={
        <>
          <Button icon={Play} onPress={() => void actions.resumeEarlier()}>
            {isRunning ? w.showEarlier : w.resumeEarlier}
          </Button>
          {!isRunning && (
            <Button variant="quiet" onPress={() => void actions.send(true)}>
              {w.sendAgain[existing]}
            </Button>
          )}
        </>
      }
    />
  );
}

/** Its number of rows excludes rejected and existing ones. */
function sendLabel(rows: number, ledger: Ledger | undefined, areRecords: boolean): string {
  if (ledger && ledger.rejected > 0) return w.sendOthers(ledger.pending, ledger.rejected, areRecords);
  return w.send(ledger ? ledger.pending : rows, areRecords);
}

/** A warning if all rows have one well and another one is selected now. */
function useSelectionWarning(): FileWarning[] {
  const choices = useTabState('upload', (state) => state.choices);
  const selected = useTabWells();
  const [asset, ...more] = scopeOf(selected);
  const well = wellConstant(choices);
  const name = useWellName(well?.assetId ?? null);
  const isOtherWell = well !== null && asset !== undefined && more.length === 0 && asset !== well.assetId;
  if (!isOtherWell) return [];
  const message = w.selectionDiffers(name, selected[0]?.name ?? String(asset));
  return [{ code: 'selection_differs', message, line: null, count: 0 }];
}

function Summary({ match }: { match: UploadMatch }) {
  const choices = useTabState('upload', (state) => state.choices);
  const { constants } = choices;
  const well = useWellName(wellConstant(choices)?.assetId ?? null);
  const constantTexts = match.fields.flatMap(({ path, constant, assumed }) => {
    const value = constant ? constants[path] : assumed;
    return value === null || value === undefined
      ? []
      : [`${fieldName(path)} ${isAssetPath(path) && well !== '' ? well : value}`];
  });
  const skippedColumns = match.columns
    .filter(({ to, joinedTo }) => to === null && joinedTo === null)
    .map(({ column }) => column);
  const units = match.columns.flatMap(({ column, conversion }) =>
    conversion ? [w.convertedColumn(column, conversionText(conversion))] : [],
  );
  const times = match.columns.flatMap(({ column, reading }) =>
    reading?.as === 'time'
      ? [w.timeColumn(column, formatLabel(reading.format), isUnix(reading.format) ? null : reading.zone)]
      : [],
  );
  return (
    <dl className="facts">
      {constantTexts.length > 0 && <Fact name={w.everyRow}>{constantTexts.join(', ')}</Fact>}
      {units.length > 0 && <Fact name={w.units}>{units.join('; ')}</Fact>}
      {times.length > 0 && <Fact name={w.times}>{times.join('; ')}</Fact>}
      <Fact name={w.skippedColumns}>
        {skippedColumns.length === 0 ? w.nothingLeftOut : skippedColumns.join(', ')}
      </Fact>
    </dl>
  );
}

function CheckResult({ job, groups }: { job: UploadJob | null; groups: readonly FindingGroup[] }) {
  if (!job) return <Loading what={w.preparing} />;
  if (isActive(job.state)) return <JobProgressView job={job} what={w.checking} />;
  if (job.state !== 'done' || !job.result)
    return job.state === 'failed' && job.error ? (
      <ConnectionFailed error={fromBody(job.error)} />
    ) : (
      <Alert tone="info">{w.stopped}</Alert>
    );
  const { rejected, pending, skipped } = job.result.ledger;
  const areRecords = job.result.fileRows !== undefined;
  const open = groups.filter(({ severity }) => severity !== 'information');
  const findings = open.reduce((sum, group) => sum + findingCount(group), 0);
  const storedText = skipped > 0 ? `${w.stored(skipped, pending)} ` : '';
  if (findings > 0 || rejected > 0)
    return (
      <Alert tone="warning">
        {storedText}
        {rejected > 0 ? w.bad(pending, rejected, areRecords) : w.suspicious(pending, findings, areRecords)}
      </Alert>
    );
  return (
    <Status className="row tone-ok">
      <CircleCheck size={16} aria-hidden />
      {skipped > 0 ? w.stored(skipped, pending) : w.good(pending, areRecords)}
    </Status>
  );
}

export const FindingsView = ({ groups }: { groups: readonly FindingGroup[] }) =>
  groups.map((group) => (
    <Section key={group.severity} heading={w.groups[group.severity](findingCount(group))}>
      <FindingList findings={group.findings} isEditable />
      <ProblemTable problems={group.problems} isCheck />
    </Section>
  ));
