import { Ban, FileUp } from 'lucide-react';
import { words } from '../../../words/words.ts';
import type { Uploads } from '../uploads.ts';
import { useAppState } from '../../../state/contexts.ts';
import { useFileDrop } from './use-file-drop.ts';
import './file.css';

const w = words.upload.drop;

/**
 * Lies over the window while files are held above it, and says what dropping them will do.
 * @param uploads null: no connection is shown that could take them
 */
export function DropOverlay({ uploads }: { uploads: Pick<Uploads, 'take'> | null }) {
  const refusal = useAppState('connections', ({ current }) =>
    current === null || uploads === null ? w.noConnection : current.readOnly ? w.readOnly : null,
  );
  const held = useFileDrop(refusal === null && uploads ? uploads.take : null);
  if (held === 0) return null;
  const Icon = refusal === null ? FileUp : Ban;
  return (
    <div className="drop-overlay center" data-refused={refusal === null ? undefined : ''}>
      <div className="drop-sign stack">
        <Icon size={40} strokeWidth={1.5} aria-hidden />
        <strong>{refusal ?? (held > 1 ? w.many(held) : w.here)}</strong>
        {refusal === null && <span className="quiet">{w.text}</span>}
      </div>
    </div>
  );
}
