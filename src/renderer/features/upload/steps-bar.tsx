import { ArrowLeft, ArrowRight, Check } from 'lucide-react';
import { Button as PlainButton } from 'react-aria-components/Button';
import { Button } from '../../ui/button.tsx';
import { Status } from '../../ui/status.tsx';
import { useTab, useTabState } from '../../contexts.ts';
import { uploadWords } from '../../words/upload.ts';
import { missingFields } from './columns/fields.ts';
import { nextStep, previousStep, steps, type StepStatus } from './steps.ts';
import { useUploadProgress, useWellQuestion } from './use-progress.ts';

/**
 * The steps of the upload, with buttons for the next and the previous step.
 * @param props.onPlace gets the place for the buttons of the step, beside them
 * @returns the bar
 */
export function StepsBar({ onPlace }: { onPlace: (place: HTMLElement | null) => void }) {
  const { actions } = useTab('upload');
  const { step: shown, steps: statuses, job } = useUploadProgress();
  const next = nextStep(shown);
  const before = job === null ? previousStep(shown) : null;
  const isNextReachable = statuses.find(({ step }) => step === next)?.isReachable === true;
  return (
    <div className="upload-steps row wrap">
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
      <span className="upload-ways row">
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
        className="upload-step-mark row"
        isDisabled={!isReachable && !isCurrent}
        onPress={() => void actions.goToStep(step)}
        {...(isCurrent ? { 'aria-current': 'step' } : {})}
      >
        <span
          className="upload-step-number center quiet numbers"
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
  const preview = useTabState('upload', (state) => state.preview.status);
  const inspection = useTabState('upload', (state) => state.inspection.status);
  const dataset = useTabState('upload', (state) => state.dataset);
  const match = useTabState('upload', (state) => state.match.value);
  const isMatching = useTabState('upload', ({ proposals }) => proposals.status === 'loading');
  const question = useWellQuestion();
  const w = uploadWords.notYet;
  const missing = match ? missingFields(match).length : 0;
  const reason =
    preview === 'failed' || inspection === 'failed'
      ? w.unreadable
      : preview !== 'loading' && inspection === 'idle'
        ? uploadWords.file.notRead
        : inspection !== 'loaded'
          ? w.reading
          : !dataset
            ? w.dataset
            : missing > 0
              ? w.fields(missing)
              : match?.ready === true && question
                ? w.wells
                : match && !isMatching
                  ? w.problems
                  : uploadWords.columns.matching;
  return <Status className="ellipsis quiet">{reason}</Status>;
}
