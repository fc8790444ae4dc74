import { Ban, FileUp } from 'lucide-react';
import { words } from '../../../words/words.ts';
import type { Uploads } from '../uploads.ts';
import { useAppState } from '../../../contexts.ts';
import { useFileDrop } from './use-file-drop.ts';
import './file.css';

const w = words.upload.drop;

/**
 * Covers the window while files are dragged over it, and says what dropping them does.
 * @param uploads null: no open connection can accept files
 */
export function DropOverlay({ uploads }: { uploads: Pick<Uploads, 'addFiles'> | null }) {
  const refusal = useAppState('connections', ({ current }) =>
    current === null || uploads === null ? w.noConnection : current.readOnly ? w.readOnly : null,
  );
  const draggedFiles = useFileDrop(refusal === null && uploads ? uploads.addFiles : null);
  if (draggedFiles === 0) return null;
  const Icon = refusal === null ? FileUp : Ban;
  return (
    <div className="drop-overlay center" data-refused={refusal === null ? undefined : ''}>
      <div className="drop-sign stack">
        <Icon size={40} strokeWidth={1.5} aria-hidden />
        <strong>{refusal ?? (draggedFiles > 1 ? w.many(draggedFiles) : w.here)}</strong>
        {refusal === null && <span className="quiet">{w.text}</span>}
      </div>
    </div>
  );
}
