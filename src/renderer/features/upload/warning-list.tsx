import { Info } from 'lucide-react';
import type { FileWarning } from '../../../shared/upload.ts';
import { words } from '../../words/words.ts';
import { WarningControl } from './warning-control.tsx';

export interface WarningListProps {
  readonly warnings: readonly FileWarning[];
  /** Whether what they are about can still be changed: what does so stands beside each then. */
  readonly open?: boolean;
}

/** What is worth a word about a file, each with its first line, in the window's words where it has the means to settle it. */
export function WarningList({ warnings, open = false }: WarningListProps) {
  return (
    <ul className="upload-warnings">
      {warnings.map((warning, at) => (
        <li key={`${warning.code} ${at}`}>
          <Info size={14} aria-hidden />
          <span>
            {words.upload.warnings.of[warning.code]?.(warning) ?? warning.message}
            {warning.line !== null && (
              <span className="quiet numbers"> ({words.upload.inLine(warning.line)})</span>
            )}
            {open && <WarningControl warning={warning} />}
          </span>
        </li>
      ))}
    </ul>
  );
}
