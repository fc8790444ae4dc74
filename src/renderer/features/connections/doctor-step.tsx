import { CircleCheck, CircleSlash, CircleX, type LucideIcon } from 'lucide-react';
import type { DiagnosisStep } from '../../../shared/connections/diagnosis.ts';
import { words } from '../../words/words.ts';

const w = words.doctor;
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
