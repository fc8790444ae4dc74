import { Check, CircleCheck, CircleSlash, CircleX, Copy, type LucideIcon, RotateCw, X } from 'lucide-react';
import { useState } from 'react';
import type { DiagnosisStep } from '../../../shared/connections/diagnosis.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { Status } from '../../ui/status.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { useApp, useAppState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { causesIn } from './doctor.ts';

const w = words.doctor;

/** What the connectivity doctor finds about one connection, step by step; nothing while it looks at another. */
export function DoctorPanel({ of }: { of: string }) {
  const { patient, steps } = useAppState('doctor', (state) => state);
  const { close } = useApp().doctor.actions;
  if (patient?.of !== of) return null;
  const causes = new Set(causesIn(steps));
  const others = steps.filter((step) => !causes.has(step));
  const heading = w.heading(patient.name || w.unnamed);
  return (
    <KeepFocus className="doctor-place">
      <section ref={intoView} className="connection-doctor stack" aria-label={heading}>
        <header className="doctor-head row gap-0">
          <h2>{heading}</h2>
          <Button variant="quiet" icon={X} aria-label={words.close} onPress={close} />
        </header>
        <Standing />
        <Steps steps={[...causes]} />
        {others.length > 0 && (
          <details className="doctor-others">
            <summary>{w.others(others.filter(({ state }) => state === 'ok').length, others.length)}</summary>
            <Steps steps={others} />
          </details>
        )}
        <Orders />
      </section>
    </KeepFocus>
  );
}

function Steps({ steps }: { readonly steps: readonly DiagnosisStep[] }) {
  return (
    <ol className="doctor-steps stack">
      {steps.map((step) => (
        <DoctorStep key={`${step.step} ${step.host ?? ''}`} step={step} />
      ))}
    </ol>
  );
}

/** It may open below what is in view. */
const intoView = (panel: HTMLElement | null): void => panel?.scrollIntoView({ block: 'nearest' });

/** How it goes and how it ended. */
function Standing() {
  const end = useAppState('doctor', (state) => state.end);
  const failures = useAppState('doctor', (state) => causesIn(state.steps).length);
  const said = {
    running: w.looking,
    cancelled: w.cancelled,
    failed: '',
    ended: failures === 0 ? w.good : w.bad(failures),
  }[end.status];
  return (
    <>
      {end.status === 'failed' && <Alert tone="error">{end.error.message}</Alert>}
      <Status>{said}</Status>
    </>
  );
}

/** What can be done then. */
function Orders() {
  const { end, patient } = useAppState('doctor', (state) => state);
  const { cancel, look } = useApp().doctor.actions;
  return (
    <div className="row wrap">
      {end.status === 'running' ? (
        <Button onPress={cancel}>{words.cancel}</Button>
      ) : (
        <Button variant="quiet" icon={RotateCw} onPress={() => patient && void look(patient)}>
          {w.again}
        </Button>
      )}
      {end.status === 'ended' && <CopyReport report={end.report} />}
    </div>
  );
}

/** The report for the IT desk; where the clipboard is closed to us it stands there to be copied by hand. */
function CopyReport({ report }: { report: string }) {
  const [copied, setCopied] = useState<boolean | null>(null);
  const copy = () => void copyText(report).then(setCopied);
  return (
    <>
      <Button icon={copied ? Check : Copy} onPress={copy}>
        {w.copy}
      </Button>
      <Status className="quiet">{copied === true ? w.copied : ''}</Status>
      {copied === false && (
        <textarea className="report" aria-label={w.report} readOnly rows={8} value={report} />
      )}
    </>
  );
}

const icons: Record<DiagnosisStep['state'], LucideIcon> = {
  ok: CircleCheck,
  failed: CircleX,
  skipped: CircleSlash,
};

/** One step of the way: how it went, how long it took, what was found and what to do. */
export function DoctorStep({ step }: { step: DiagnosisStep }) {
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
