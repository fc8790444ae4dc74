import { X } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, useState, useId } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading } from '../../ui/view-states.tsx';
import { TabContext, useAppState, useTab, useTabState } from '../../contexts.ts';
import { uploadWords } from '../../words/upload.ts';
import { addressText } from '../datasets/search.ts';
import { CheckStep } from './check/check-step.tsx';
import { ProblemTable } from './check/problem-table.tsx';
import { ColumnsStep } from './columns/columns-step.tsx';
import { FileChooser } from './file/file-chooser.tsx';
import { FittingDatasets } from './fitting-datasets.tsx';
import { FilePreviewPanel } from './file/file-preview.tsx';
import { FileStep } from './file/file-step.tsx';
import { JobProgressView } from './job/job-progress-view.tsx';
import { LedgerStep } from './job/ledger-step.tsx';
import { LedgerView } from './job/ledger-view.tsx';
import { PrimaryPlaceContext } from './primary-action.tsx';
import type { Step } from './steps.ts';
import { StepsBar } from './steps-bar.tsx';
import { UploadHead } from './upload-head.tsx';
import { fileName, transferringFile } from './upload-facts.ts';
import type { UploadTab } from './upload-tab.ts';
import { useUploadProgress } from './use-progress.ts';
import './upload.css';
import './file/file.css';
import './columns/columns.css';
import './job/ledger.css';

/** One upload: file and dataset, the current step, and the table. */
export default function UploadTabView({ tab }: { tab: UploadTab }) {
  return (
    <TabContext value={useMemo(() => ({ upload: tab }), [tab])}>
      <Upload />
    </TabContext>
  );
}

function Upload() {
  const readOnly = useAppState('connections', ({ current }) => (current?.readOnly ? current.name : null));
  const name = useTabState('upload', fileName);
  const { job } = useUploadProgress();
  return (
    <section className="upload stack gap-0" aria-label={uploadWords.region(name)}>
      {readOnly !== null && job === null ? (
        <Empty>{uploadWords.readOnly(readOnly)}</Empty>
      ) : (
        <>
          <UploadHead />
          <NextFileProblem />
          <Body />
        </>
      )}
    </section>
  );
}

/** Why another file isn't added: the current one is below. */
function NextFileProblem() {
  const { actions } = useTab('upload');
  const nextFile = useTabState('upload', (state) => state.nextFile);
  if (nextFile?.status !== 'failed') return null;
  const { dismiss } = uploadWords.choose;
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
  const isReady = useTabState(
    'upload',
    (state) => state.file.status === 'ready' && transferringFile(state) === null,
  );
  const hasPreview = useTabState('upload', (state) => state.preview.status === 'loaded');
  const isPreviewShown = useTabState('upload', (state) => state.isPreviewShown);
  const { step: shown, job } = useUploadProgress();
  const [place, setPlace] = useState<HTMLElement | null>(null);
  // The columns take the whole height.
  const hasPreviewPanel = hasPreview && (shown !== 'columns' || isPreviewShown);
  if (job === null && !isReady) return <FileChooser />;
  return (
    <PrimaryPlaceContext value={place}>
      <StepsBar onPlace={setPlace} />
      {job === null && <TargetQuestion />}
      {job === null && (shown === 'file' || shown === 'columns') && <FittingDatasets />}
      <Group orientation="vertical" className="upload-body">
        <Panel id={stepId} defaultSize={hasPreviewPanel ? '62%' : '100%'} minSize="120px">
          <StepRegion step={shown} />
        </Panel>
        {hasPreviewPanel && (
          <>
            <Separator className="divider divider-row" />
            <Panel id={previewId} defaultSize="38%" minSize="90px">
              <FilePreviewPanel isEditingFormat={shown === 'file'} />
            </Panel>
          </>
        )}
      </Group>
    </PrimaryPlaceContext>
  );
}

/**
 * The current step. It takes the focus after navigation, because the button that led to it may be gone or
 * disabled.
 */
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
  return (
    <section ref={region} tabIndex={-1} className="upload-step-region" aria-label={uploadWords.steps[step]}>
      <StepView step={step} />
    </section>
  );
}

function StepView({ step }: { step: Step }) {
  switch (step) {
    case 'file':
      return <FileStep />;
    case 'columns':
      return <ColumnsStep />;
    case 'check':
      return <CheckStep />;
    case 'send':
      return <SendStep />;
    case 'ledger':
    default:
      return <LedgerStep />;
  }
}

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
    <div className="upload-step stack gap-4">
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
