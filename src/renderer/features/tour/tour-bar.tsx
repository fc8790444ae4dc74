import { Compass, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../ui/button.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { nextStepOf, tourSteps, type Tour } from './tour.ts';
import './tour.css';

const w = words.tour;

export interface TourBarProps {
  readonly tour: Tour;
  /** Whether the upload in view has a file: the upload then shows the next steps. */
  readonly hasFile: boolean;
  /** Gives the sample file to an upload; null: there is none here, or the upload has a file. */
  readonly onAddSample: (() => void) | null;
  /** Takes the focus when the tour closes. */
  readonly onLeft: () => void;
}

/**
 * The next step of the tour, in a bubble beside the control that it is about, which has a frame. Without one, and before
 * and after the steps, it is a line. Screen readers announce it.
 */
export function TourBar({ tour, hasFile, onAddSample, onLeft }: TourBarProps) {
  const { status, done } = useStore(tour.store);
  const close = useRef<HTMLButtonElement>(null);
  const wasRunning = useRef(status === 'running');
  useEffect(() => {
    // The button that started the tour is gone.
    if (status === 'running' && !wasRunning.current) close.current?.focus();
    wasRunning.current = status === 'running';
  }, [status]);
  const leave = () => {
    tour.actions.leave();
    onLeft();
  };
  const step = nextStepOf({ done });
  const isSending = step === 'upload' && hasFile;
  const pointedStep = status === 'running' && !isSending ? step : null;
  useEffect(() => {
    if (pointedStep === null) return undefined;
    const { dataset } = document.documentElement;
    dataset['tourStep'] = pointedStep;
    return () => {
      delete dataset['tourStep'];
    };
  }, [pointedStep]);
  const number = step === null ? tourSteps.length : tourSteps.indexOf(step) + 1;
  return (
    <>
      {pointedStep !== null && <div className="tour-frame" aria-hidden />}
      <aside className="tour toolbar line-below wrap" aria-label={w.region}>
        <Compass className="accent" size={16} aria-hidden />
        <Status className="grow-text">
          {status === 'offered' ? (
            w.offer
          ) : step === null ? (
            w.done
          ) : (
            <>
              <span className="bold numbers">{w.at(number, tourSteps.length)}</span>{' '}
              {isSending ? w.sendFile : step === 'upload' && onAddSample ? w.uploadSample : w.steps[step]}
            </>
          )}
        </Status>
        {status === 'offered' ? (
          <span className="push row">
            <Button variant="quiet" onPress={leave}>
              {w.decline}
            </Button>
            <Button onPress={tour.actions.start}>{w.start}</Button>
          </span>
        ) : (
          <span className="push row">
            {step === 'upload' && onAddSample && <Button onPress={onAddSample}>{w.takeSample}</Button>}
            <span className="tour-marks row" aria-hidden>
              {tourSteps.map((tourStep) => (
                <span
                  key={tourStep}
                  data-done={done.includes(tourStep) || undefined}
                  data-now={tourStep === step || undefined}
                />
              ))}
            </span>
            <Button
              ref={close}
              variant="quiet"
              icon={X}
              aria-label={step === null ? w.close : w.leave}
              onPress={leave}
            />
          </span>
        )}
      </aside>
    </>
  );
}
