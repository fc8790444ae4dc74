import { CircleX, Info, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { FileWarning } from '../../../shared/upload.ts';
import { warningSeverities, type Severity } from '../../../shared/upload-warnings.ts';
import { words } from '../../words/words.ts';
import { WarningControl } from './warning-control.tsx';

const icons: Record<Severity, LucideIcon> = {
  blocking: CircleX,
  suspicious: TriangleAlert,
  information: Info,
};

export interface WarningListProps {
  readonly warnings: readonly FileWarning[];
  /** Whether what they are about can still be changed: what does so stands beside each then. */
  readonly open?: boolean;
}

/** What is worth a word about a file, each with its first line, in the window's words where it has the means to settle it. */
export function WarningList({ warnings, open = false }: WarningListProps) {
  if (warnings.length === 0) return null;
  return (
    <ul className="upload-warnings">
      {warnings.map((warning, at) => (
        <WarningItem key={`${warning.code} ${at}`} warning={warning} open={open} />
      ))}
    </ul>
  );
}

function WarningItem({ warning, open }: { warning: FileWarning; open: boolean }) {
  const { code, line, count, message } = warning;
  const severity = warningSeverities[code];
  const Icon = icons[severity];
  const place = words.upload.foundIn(code, count ?? null, line);
  return (
    <li data-severity={severity}>
      <Icon size={14} aria-hidden />
      <span>
        {words.upload.warnings.of[code]?.(warning) ?? message}
        {place !== '' && <span className="quiet numbers"> ({place})</span>}
        {open && <WarningControl warning={warning} />}
      </span>
    </li>
  );
}
