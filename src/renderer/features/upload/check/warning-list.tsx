import { CircleX, Info, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { FileWarning } from '../../../../shared/upload/upload.ts';
import { warningSeverities, type Severity } from '../../../../shared/upload/warnings.ts';
import { uploadWords } from '../../../words/upload.ts';
import { useTabState } from '../../../contexts.ts';
import { placeKind } from '../upload-state.ts';
import { groupWarnings, type Finding } from './findings.ts';
import { FixControl, WarningControl } from './warning-control.tsx';
import { fixesOfAll } from './warning-fixes.ts';

const icons: Record<Severity, LucideIcon> = {
  blocking: CircleX,
  suspicious: TriangleAlert,
  information: Info,
};

export interface WarningListProps {
  readonly warnings: readonly FileWarning[];
  /** Whether the file can still be corrected: fixes are shown only then. */
  readonly isEditable?: boolean;
}

/** The warnings of a file with their first lines and fixes. */
export function WarningList({ warnings, isEditable = false }: WarningListProps) {
  return <FindingList findings={groupWarnings(warnings)} isEditable={isEditable} />;
}

interface FindingListProps extends Pick<Required<WarningListProps>, 'isEditable'> {
  readonly findings: readonly Finding[];
}

/** Warnings that are grouped already. */
export function FindingList({ findings, isEditable }: FindingListProps) {
  if (findings.length === 0) return null;
  return (
    <ul className="upload-warnings stack">
      {findings.map((finding, at) => (
        <FindingItem key={`${finding.code} ${at}`} finding={finding} isEditable={isEditable} />
      ))}
    </ul>
  );
}

function FindingItem({ finding, isEditable }: { finding: Finding; isEditable: boolean }) {
  const { code, warnings } = finding;
  const severity = warningSeverities[code];
  const Icon = icons[severity];
  const [first, ...otherWarnings] = warnings;
  return (
    <li className="line">
      <Icon className="state" data-state={severity} size={14} aria-hidden />
      {otherWarnings.length === 0 ? (
        <SingleWarning warning={first} isEditable={isEditable} />
      ) : (
        <Columns warnings={warnings} isEditable={isEditable} />
      )}
    </li>
  );
}

function SingleWarning({ warning, isEditable }: { warning: FileWarning; isEditable: boolean }) {
  const { code, line, count, message } = warning;
  const kind = useTabState('upload', placeKind);
  const place = uploadWords.foundIn(code, count, line, kind);
  return (
    <span>
      {uploadWords.warnings.of[code]?.(warning) ?? message}
      {place !== '' && <span className="quiet numbers"> ({place})</span>}
      {isEditable && <WarningControl warning={warning} />}
    </span>
  );
}

/** One warning for several columns, with a fix for each column. */
function Columns({ warnings, isEditable }: { warnings: Finding['warnings']; isEditable: boolean }) {
  const [first] = warnings;
  const w = uploadWords.inColumns;
  return (
    <div>
      <details>
        <summary>
          {w.columns(warnings.length)}: {w.of[first.code]?.(first)}
        </summary>
        <ul className="upload-warnings stack">
          {warnings.map((warning) => (
            <li key={warning.column} className="line">
              <SingleWarning warning={warning} isEditable={isEditable} />
            </li>
          ))}
        </ul>
      </details>
      {isEditable && fixesOfAll(warnings).map((fix) => <FixControl key={JSON.stringify(fix)} fix={fix} />)}
    </div>
  );
}
