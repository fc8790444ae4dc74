import { CircleCheck, CircleSlash, CircleX, Copy, type LucideIcon, RotateCw, X } from 'lucide-react';
import type { DiagnosisStep } from '../../../shared/contract/connections.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { Status } from '../../ui/status.tsx';
import { CopyReport } from '../../ui/copy-report.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { findCauses } from './diagnostics.ts';

const w = words.diagnostics;

/** Empty while the diagnostics are those of another connection. */
export function DiagnosticsPanel({ of }: { of: string }) {
  const { target, steps } = useAppState('diagnostics', (state) => state);
  const { close } = useApp().diagnostics.actions;
  if (target?.id !== of) return null;
  const causes = new Set(findCauses(steps));
  const otherSteps = steps.filter((step) => !causes.has(step));
  const heading = w.heading(target.name || w.unnamed);
  return (
    <KeepFocus className="diagnostics-place">
      <section
        ref={scrollIntoView}
        className="connection-diagnostics box pad-3 surface-quiet stack"
        aria-label={heading}
      >
        <header className="between row gap-0">
          <h2>{heading}</h2>
          <Button variant="quiet" icon={X} aria-label={words.close} onPress={close} />
        </header>
        <DiagnosticsStatus />
        <Steps steps={[...causes]} />
        {otherSteps.length > 0 && (
          <details>
            <summary className="quiet">
              {w.others(otherSteps.filter(({ state }) => state === 'ok').length, otherSteps.length)}
            </summary>
            <Steps steps={otherSteps} />
          </details>
        )}
        <DiagnosticsActions />
      </section>
    </KeepFocus>
  );
}

function Steps({ steps }: { readonly steps: readonly DiagnosisStep[] }) {
  return (
    <ol className="stack">
      {steps.map((step) => (
        <DiagnosticsStep key={`${step.step} ${step.host ?? ''}`} step={step} />
      ))}
    </ol>
  );
}

/** The panel may open below the visible area. */
const scrollIntoView = (panel: HTMLElement | null): void => panel?.scrollIntoView({ block: 'nearest' });

function DiagnosticsStatus() {
  const end = useAppState('diagnostics', (state) => state.end);
  const failures = useAppState('diagnostics', (state) => findCauses(state.steps).length);
  const message = {
    running: w.looking,
    cancelled: w.cancelled,
    failed: '',
    ended: failures === 0 ? w.good : w.bad(failures),
  }[end.status];
  return (
    <>
      {end.status === 'failed' && <Alert tone="error">{end.error.message}</Alert>}
      <Status>{message}</Status>
    </>
  );
}

function DiagnosticsActions() {
  const { end, target } = useAppState('diagnostics', (state) => state);
  const { cancel, start } = useApp().diagnostics.actions;
  return (
    <div className="row wrap">
      {end.status === 'running' ? (
        <Button onPress={cancel}>{words.cancel}</Button>
      ) : (
        <Button variant="quiet" icon={RotateCw} onPress={() => target && void start(target)}>
          {w.again}
        </Button>
      )}
      {end.status === 'ended' && (
        <CopyReport icon={Copy} copied={w.copied} label={w.report} text={() => end.report}>
          {w.copy}
        </CopyReport>
      )}
    </div>
  );
}

const icons: Record<DiagnosisStep['state'], LucideIcon> = {
  ok: CircleCheck,
  failed: CircleX,
  skipped: CircleSlash,
};

function DiagnosticsStep({ step }: { step: DiagnosisStep }) {
  const { state, host, ms, found, advice, certificate } = step;
  const Icon = icons[state];
  return (
    <li className="line">
      <Icon className="state" data-state={state} size={16} aria-hidden />
      <div>
        <p className="row wrap">
          <strong>{w.steps[step.step]}</strong>
          {host !== null && <span className="quiet"> {host}</span>}
          <span className={state === 'failed' ? 'tone-error' : ''}>{w.states[state]}</span>
          {state !== 'skipped' && (
            <span className="quiet numbers">{words.connection.inMs(Math.round(ms))}</span>
          )}
        </p>
        <p className={state === 'failed' ? undefined : 'quiet'}>{found}</p>
        {certificate && (
          <p className="quiet">{w.signedBy(certificate.issuer, certificate.until.slice(0, 10))}</p>
        )}
        {advice !== null && (
          <p>
            <strong>{advice}</strong>
          </p>
        )}
      </div>
    </li>
  );
}
