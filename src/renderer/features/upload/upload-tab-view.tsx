import { X, ArrowLeft, ArrowRight, Check, FileText } from 'lucide-react';
import { type ComponentType, memo, useLayoutEffect, useMemo, useRef, useState, useId } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading } from '../../ui/view-states.tsx';
import { TabContext, useAppState, useTab, useTabState, useSessionState } from '../../contexts.ts';
import { uploadWords } from '../../words/upload.ts';
import { words } from '../../words/words.ts';
import { addressText, searchDatasets, typeText } from '../datasets/search.ts';
import { CheckStep } from './check/check-step.tsx';
import { ProblemTable } from './check/problem-table.tsx';
import { ColumnsStep } from './columns/columns-step.tsx';
import { FileChooser, OtherFileButton, FileStep } from './file/file-step.tsx';
import { FilePreviewPanel } from './file/file-preview.tsx';
import { JobProgressView, LedgerView } from './job/progress.tsx';
import { LedgerStep } from './job/ledger-step.tsx';
import {
  PrimaryPlaceContext,
  useJobLookUp,
  useUploadParts,
  useUploadProgress,
  useWellQuestion,
  useOtherConnection,
} from './upload-parts.tsx';
import {
  type Step,
  nextStep,
  previousStep,
  steps,
  type StepStatus,
  fileName,
  transferringFile,
} from './upload-state.ts';
import type { UploadTab } from './upload-tab.ts';
import './upload.css';
import './file/file.css';
import { valueOr } from '../../state/loadable.ts';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { Button as PlainButton } from 'react-aria-components/Button';
import { Status } from '../../ui/status.tsx';
import { missingFields } from './columns/fields.ts';
import { formatBytes } from '../../format/numbers.ts';
import { ComboBox, type ComboOption } from '../../ui/combo-box.tsx';

function UploadHead() {
  const state = useUploadParts('file', 'nextFile');
  const { file } = state;
  const name = fileName(state);
  const { job, sendJob } = useUploadProgress();
  const other = useOtherConnection(sendJob);
  const coming = transferringFile(state);
  const bytes =
    file.status === 'ready' ? file.file.bytes : file.status === 'none' ? (coming?.bytes ?? null) : null;
  return (
    <header className="upload-head toolbar wrap">
      {name !== null && (
        <span className="row ellipsis">
          <FileText className="quiet" size={16} aria-hidden />
          <strong className="ellipsis" title={name}>
            {name}
          </strong>
          {bytes !== null && <span className="quiet numbers">{formatBytes(bytes)}</span>}
        </span>
      )}
      {job === null && file.status === 'ready' && !coming && <OtherFileButton />}
      <span className="upload-into row">
        {(sendJob || job === null) && (
          <span className="quiet">{name === null ? uploadWords.uploadInto : uploadWords.into}</span>
        )}
        {sendJob && (
          <strong className="ellipsis">
            {sendJob.address.provider}/{sendJob.address.dataset}
          </strong>
        )}
        {job === null && <DatasetPicker />}
      </span>
      {other !== null && <span>{uploadWords.onConnection(other)}</span>}
    </header>
  );
}

const noDatasets: readonly Dataset[] = [];
const maxOptions = 200;

function DatasetPicker() {
  const { actions } = useTab('upload');
  const dataset = useTabState('upload', (state) => state.dataset);
  const list = useSessionState('datasets', (state) => state.list);
  const datasets = valueOr(list, noDatasets);
  const find = (typed: string): ComboOption[] =>
    searchDatasets(datasets, typed, 'all')
      .slice(0, maxOptions)
      .map((listedDataset) => ({
        id: addressText(listedDataset),
        text: addressText(listedDataset),
        note: typeText(listedDataset),
      }));
  const choose = (address: string) => {
    const chosenDataset = datasets.find((listedDataset) => addressText(listedDataset) === address);
    if (chosenDataset) actions.setDataset(chosenDataset);
  };
  return (
    <span className="row grow">
      <ComboBox
        className="grow"
        label={uploadWords.dataset}
        isLabelHidden
        value={dataset && addressText(dataset)}
        text={dataset ? addressText(dataset) : ''}
        find={find}
        onSelect={choose}
        placeholder={list.status === 'loaded' ? uploadWords.datasetHint : uploadWords.datasetsLoading}
      />
      {dataset && <span className="dataset-type">{typeText(dataset)}</span>}
    </span>
  );
}

/** @param props.onPlace gets the place for the step's buttons, beside those to the next and previous step */
function StepsBar({ onPlace }: { onPlace: (place: HTMLElement | null) => void }) {
  const { actions } = useTab('upload');
  const { step: shown, steps: statuses, job } = useUploadProgress();
  const next = nextStep(shown);
  const before = job === null ? previousStep(shown) : null;
  const isNextReachable = statuses.find(({ step }) => step === next)?.isReachable === true;
  return (
    <div className="upload-steps surface-quiet toolbar line-below wrap">
      <nav aria-label={uploadWords.stepsLabel}>
        <ol className="row wrap gap-1">
          {statuses.map((status, at) => (
            <StepMark key={status.step} status={status} number={at + 1} isCurrent={status.step === shown} />
          ))}
        </ol>
      </nav>
      <Status className="visually-hidden">
        {uploadWords.stepAt(steps.indexOf(shown) + 1, uploadWords.steps[shown])}
      </Status>
      <span className="grow-text to-end row">
        {next !== null && !isNextReachable && <BlockedReason />}
        {before !== null && (
          <Button variant="quiet" icon={ArrowLeft} onPress={() => void actions.goToStep(before)}>
            {uploadWords.back}
          </Button>
        )}
        <span ref={onPlace} className="row" />
        {next !== null && (
          <Button variant="primary" isDisabled={!isNextReachable} onPress={() => void actions.goToStep(next)}>
            {uploadWords.next(uploadWords.steps[next])}
            <ArrowRight size={16} aria-hidden />
          </Button>
        )}
      </span>
    </div>
  );
}

interface StepMarkProps {
  readonly status: StepStatus;
  readonly number: number;
  readonly isCurrent: boolean;
}

function StepMark({ status: { step, isReachable, isDone }, number, isCurrent }: StepMarkProps) {
  const { actions } = useTab('upload');
  return (
    <li>
      <PlainButton
        className="upload-step-mark hoverable pad-x-2 round row"
        isDisabled={!isReachable && !isCurrent}
        onPress={() => void actions.goToStep(step)}
        {...(isCurrent ? { 'aria-current': 'step' } : {})}
      >
        <span
          className="upload-step-number step-number small center quiet numbers"
          data-done={isDone && !isCurrent ? '' : undefined}
        >
          {isDone && !isCurrent ? <Check size={12} strokeWidth={3} aria-hidden /> : number}
        </span>
        <span className="upload-step-name">{uploadWords.steps[step]}</span>
      </PlainButton>
    </li>
  );
}

function BlockedReason() {
  const {
    preview,
    inspection,
    dataset,
    match: matching,
    proposals,
  } = useUploadParts('preview', 'inspection', 'dataset', 'match', 'proposals');
  const match = matching.value;
  const question = useWellQuestion();
  const w = uploadWords.notYet;
  const missing = match ? missingFields(match).length : 0;
  const reason =
    preview.status === 'failed' || inspection.status === 'failed'
      ? w.unreadable
      : preview.status !== 'loading' && inspection.status === 'idle'
        ? uploadWords.file.notRead
        : inspection.status !== 'loaded'
          ? w.reading
          : !dataset
            ? w.dataset
            : missing > 0
              ? w.fields(missing)
              : match?.ready === true && question
                ? w.wells
                : match && proposals.status !== 'loading'
                  ? w.problems
                  : uploadWords.columns.matching;
  return <Status className="ellipsis quiet">{reason}</Status>;
}

const maxOffered = 3;
const w = uploadWords.fitting;

/** The datasets that the file fits, while none is selected; a warning if the selected one is ordered otherwise. */
function FittingDatasets() {
  const { actions } = useTab('upload');
  const { dataset, fittingDatasets, proposals } = useUploadParts('dataset', 'fittingDatasets', 'proposals');
  const otherIndex = valueOr(proposals, null)?.otherIndex;
  const datasets = valueOr(
    useSessionState('datasets', (state) => state.list),
    noDatasets,
  );
  const offered = valueOr(fittingDatasets, [])
    .flatMap((fit) => {
      const listedDataset = datasets.find((other) => addressText(other) === `${fit.provider}/${fit.dataset}`);
      return listedDataset ? [{ ...fit, listedDataset }] : [];
    })
    .filter(({ listedDataset }) => listedDataset !== dataset)
    .slice(0, maxOffered);
  const buttons = offered.map(({ listedDataset, fits, of }) => (
    <Button
      key={addressText(listedDataset)}
      variant="quiet"
      onPress={() => actions.setDataset(listedDataset)}
    >
      {w.select(addressText(listedDataset), fits, of)}
    </Button>
  ));
  if (dataset && otherIndex)
    return (
      <Alert isStrip tone="warning" actions={buttons}>
        {w.otherIndex[otherIndex](addressText(dataset))}
      </Alert>
    );
  if (dataset || buttons.length === 0) return null;
  return (
    <Alert isStrip tone="info" actions={buttons}>
      {w.heading}
    </Alert>
  );
}

export default function UploadTabView({ tab }: { tab: UploadTab }) {
  return (
    <TabContext value={useMemo(() => ({ upload: tab }), [tab])}>
      <Upload />
    </TabContext>
  );
}

// Each part follows what it shows: none is drawn again because its neighbor is.
const Head = memo(UploadHead);
const Content = memo(Body);
const CurrentStep = memo(StepRegion);
const Preview = memo(FilePreviewPanel);

function Upload() {
  const readOnly = useAppState('connections', ({ current }) => (current?.readOnly ? current.name : null));
  const name = useTabState('upload', fileName);
  const { job } = useUploadProgress();
  useJobLookUp('check');
  useJobLookUp('send');
  return (
    <section className="upload full stack gap-0" aria-label={uploadWords.region(name)}>
      {readOnly !== null && job === null ? (
        <Empty>{uploadWords.readOnly(readOnly)}</Empty>
      ) : (
        <>
          <Head />
          <NextFileProblem />
          <Content />
        </>
      )}
    </section>
  );
}

function NextFileProblem() {
  const { actions } = useTab('upload');
  const nextFile = useTabState('upload', (state) => state.nextFile);
  if (nextFile?.status !== 'failed') return null;
  const { dismiss } = words;
  const close = <Button variant="quiet" icon={X} aria-label={dismiss} onPress={actions.dismissNextFile} />;
  return (
    <Alert isStrip tone="error" actions={close}>
      {nextFile.error.message}
    </Alert>
  );
}

function Body() {
  const stepId = useId();
  const previewId = useId();
  // A file on its way is shown in place of the current one.
  const state = useUploadParts('file', 'nextFile', 'preview', 'isPreviewShown');
  const isReady = state.file.status === 'ready' && !transferringFile(state);
  const { step: shown, job } = useUploadProgress();
  const [place, setPlace] = useState<HTMLElement | null>(null);
  // The columns take the whole height.
  const hasPreviewPanel = state.preview.status === 'loaded' && (shown !== 'columns' || state.isPreviewShown);
  if (job === null && !isReady) return <FileChooser />;
  return (
    <PrimaryPlaceContext value={place}>
      <StepsBar onPlace={setPlace} />
      {job === null && <TargetQuestion />}
      {job === null && (shown === 'file' || shown === 'columns') && <FittingDatasets />}
      <Group orientation="vertical" className="fill">
        <Panel id={stepId} defaultSize={hasPreviewPanel ? '62%' : '100%'} minSize="120px">
          <CurrentStep step={shown} />
        </Panel>
        {hasPreviewPanel && (
          <>
            <Separator className="divider divider-row" />
            <Panel id={previewId} defaultSize="38%" minSize="90px">
              <Preview isEditingFormat={shown === 'file'} />
            </Panel>
          </>
        )}
      </Group>
    </PrimaryPlaceContext>
  );
}

/** It takes the focus after navigation, because the button that led to it may be gone or disabled. */
function StepRegion({ step }: { step: Step }) {
  const region = useRef<HTMLElement>(null);
  const shown = useRef(step);
  useLayoutEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    const { activeElement: active, body } = document;
    if (active === null || active === body || active.closest('.upload-steps') !== null)
      region.current?.focus({ preventScroll: true });
  }, [step]);
  const View = stepViews[step];
  return (
    <section ref={region} tabIndex={-1} className="keep-focus full" aria-label={uploadWords.steps[step]}>
      <View />
    </section>
  );
}

const stepViews: Readonly<Record<Step, ComponentType>> = {
  file: FileStep,
  columns: ColumnsStep,
  check: CheckStep,
  send: SendStep,
  ledger: LedgerStep,
};

/** Asks once whether rows go into a dataset that the user didn't select; nothing is sent before. */
function TargetQuestion() {
  const { actions } = useTab('upload');
  const dataset = useTabState('upload', (state) => (state.isDatasetAssumed ? state.dataset : null));
  if (!dataset) return null;
  const address = addressText(dataset);
  return (
    <Alert
      isStrip
      tone="warning"
      actions={<Button onPress={actions.confirmDataset}>{uploadWords.target.confirm(address)}</Button>}
    >
      {uploadWords.target.assumed(address)}
    </Alert>
  );
}

function SendStep() {
  const { sendJob } = useUploadProgress();
  if (!sendJob) return <Loading what={uploadWords.send.waiting} />;
  return (
    <div className="upload-step stack gap-4 full pad-3 scroll">
      <section>
        <JobProgressView job={sendJob} what={uploadWords.send.heading(addressText(sendJob.address))} />
        <p className="quiet">{uploadWords.send.text}</p>
      </section>
      {sendJob.result && (
        <section aria-label={uploadWords.ledger.label}>
          <LedgerView result={sendJob.result} phase="sending" />
          <ProblemTable problems={sendJob.result.problems} />
        </section>
      )}
    </div>
  );
}
