import { CircleAlert, TriangleAlert, WandSparkles } from 'lucide-react';
import type { Finding } from '../../../../shared/language/lint/finding.ts';
import { Button } from '../../../ui/button.tsx';
import { Status } from '../../../ui/status.tsx';
import { words } from '../../../words/words.ts';
import './editing.css';

export interface FindingListProps {
  readonly id: string;
  readonly findings: readonly Finding[];
  readonly onShow: (finding: Finding) => void;
  readonly onFix: (finding: Finding) => void;
}

/** More would be nobody's reading; the marks in the text show where the others are. */
const most = 50;

/** What was found in a text, as text beneath it: what a screen reader reads, and whoever does not point at marks. */
export function FindingList({ id, findings, onShow, onFix }: FindingListProps) {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const said = words.editing.found(errors, findings.length - errors);
  return (
    <div id={id} className={findings.length > 0 ? 'editing-findings' : undefined}>
      <Status className="visually-hidden">{said}</Status>
      {findings.length > 0 && (
        <ul className="findings-list" aria-label={words.editing.findings}>
          {findings.slice(0, most).map((finding) => (
            <Line
              key={`${finding.code} ${finding.start} ${finding.end}`}
              finding={finding}
              onShow={() => onShow(finding)}
              onFix={() => onFix(finding)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function Line({ finding, onShow, onFix }: { finding: Finding; onShow: () => void; onFix: () => void }) {
  const { severity, message, line, column, fix } = finding;
  const Icon = severity === 'error' ? CircleAlert : TriangleAlert;
  return (
    <li className={`editing-finding finding-${severity}`}>
      <Icon size={14} aria-hidden />
      <span className="visually-hidden">{words.editing[severity]}</span>
      <button
        type="button"
        className="finding-place"
        onClick={onShow}
        aria-label={words.query.at(line, column)}
      >
        {line}:{column}
      </button>
      <span className="finding-message">{message}</span>
      {fix && (
        <Button variant="quiet" icon={WandSparkles} className="finding-fix" onPress={onFix}>
          {fix.title}
        </Button>
      )}
    </li>
  );
}
