import { Info } from 'lucide-react';
import type { FileWarning } from '../../../shared/upload.ts';
import { words } from '../../words/words.ts';

/** What is worth a word about a file, each with its first line. */
export function WarningList({ warnings }: { warnings: readonly FileWarning[] }) {
  return (
    <ul className="upload-warnings">
      {warnings.map(({ code, message, line }, at) => (
        <li key={`${code} ${at}`}>
          <Info size={14} aria-hidden />
          <span>
            {message}
            {line !== null && <span className="quiet numbers"> ({words.upload.inLine(line)})</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
