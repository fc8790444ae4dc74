import { Ban, FileUp } from 'lucide-react';
import { words } from '../../../words/words.ts';
import { useAppState } from '../../../contexts.ts';
import { useFileDrop } from './use-file-drop.ts';
import './file.css';

const w = words.upload.drop;

/**
 * Covers the window while files are dragged over it, and says what dropping them does.
 * @param onFiles opens dropped files; null: no open connection can accept them
 */
export function DropOverlay({ onFiles }: { onFiles: ((files: readonly File[]) => void) | null }) {
  const refusal = useAppState('connections', ({ current }) =>
    current === null || onFiles === null ? w.noConnection : current.readOnly ? w.readOnly : null,
  );
  const draggedFiles = useFileDrop(refusal === null ? onFiles : null);
  if (draggedFiles === 0) return null;
  const Icon = refusal === null ? FileUp : Ban;
  return (
    <div className="drop-overlay center" data-refused={refusal === null ? undefined : ''}>
      <div className="drop-sign stack">
        <Icon size={40} strokeWidth={1.5} aria-hidden />
        <strong>{refusal ?? (draggedFiles > 1 ? w.many(draggedFiles) : w.here)}</strong>
        {refusal === null && <span className="drop-sign-text quiet">{w.text}</span>}
      </div>
    </div>
  );
}
