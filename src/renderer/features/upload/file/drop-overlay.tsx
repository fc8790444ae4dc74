import { Ban, FileUp } from 'lucide-react';
import { words } from '../../../words/words.ts';
import { useAppState } from '../../../contexts.ts';
import { useEffect, useState } from 'react';
import './file.css';

const w = words.drop;

/** @param onFiles opens dropped files; null: no open connection can accept them */
export function DropOverlay({ onFiles }: { onFiles: ((files: readonly File[]) => void) | null }) {
  const refusal = useAppState('connections', ({ current }) =>
    current === null || onFiles === null ? w.noConnection : current.readOnly ? w.readOnly : null,
  );
  const draggedFiles = useFileDrop(refusal === null ? onFiles : null);
  if (draggedFiles === 0) return null;
  const Icon = refusal === null ? FileUp : Ban;
  return (
    <div className="drop-overlay center" data-refused={refusal === null ? undefined : ''}>
      <div className="drop-sign items-center stack">
        <Icon size={40} strokeWidth={1.5} aria-hidden />
        <strong className="large">{refusal ?? (draggedFiles > 1 ? w.many(draggedFiles) : w.here)}</strong>
        {refusal === null && <span className="quiet">{w.text}</span>}
      </div>
    </div>
  );
}

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

/**
 * Accepts files dropped anywhere on the window, except where a part takes them itself. Without it, the browser would
 * open them in place of the page.
 * @param onDrop null: files are not accepted now
 * @returns the number of files dragged over the window
 */
function useFileDrop(onDrop: ((files: readonly File[]) => void) | null): number {
  const [fileCount, setFileCount] = useState(0);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      // A part of the window takes them itself.
      if (event.defaultPrevented) return setFileCount(0);
      event.preventDefault();
      setFileCount(Math.max(event.dataTransfer?.items.length ?? 1, 1));
      if (event.dataTransfer) event.dataTransfer.dropEffect = onDrop ? 'copy' : 'none';
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      // Else they are over another element of the window.
      if (relatedTarget === null) setFileCount(0);
    };
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      const isHandled = event.defaultPrevented;
      event.preventDefault();
      setFileCount(0);
      if (isHandled) return;
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) onDrop?.(files);
    };
    const ended = new AbortController();
    const { signal } = ended;
    document.addEventListener('dragover', over, { signal });
    document.addEventListener('dragenter', over, { signal });
    document.addEventListener('dragleave', leave, { signal });
    document.addEventListener('drop', drop, { signal });
    return () => ended.abort();
  }, [onDrop]);
  return fileCount;
}
