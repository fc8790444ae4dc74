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
    // `dragenter` of a nested element fires before `dragleave` of its parent.
    let depth = 0;
    const updateCount = (event: DragEvent) =>
      setFileCount(Math.max(event.dataTransfer?.items.length ?? 1, 1));
    // Fires repeatedly, also if listening began after the files entered.
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      // A part of the window takes them itself.
      if (event.defaultPrevented) return setFileCount(0);
      event.preventDefault();
      updateCount(event);
      if (event.dataTransfer) event.dataTransfer.dropEffect = onDrop ? 'copy' : 'none';
    };
    const enter = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      depth += 1;
      updateCount(event);
    };
    const end = () => {
      depth = 0;
      setFileCount(0);
    };
    const leave = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      depth -= 1;
      if (depth <= 0) end();
    };
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      const isHandled = event.defaultPrevented;
      event.preventDefault();
      end();
      if (isHandled) return;
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) onDrop?.(files);
    };
    const ended = new AbortController();
    const { signal } = ended;
    document.addEventListener('dragover', over, { signal });
    document.addEventListener('dragenter', enter, { signal });
    document.addEventListener('dragleave', leave, { signal });
    document.addEventListener('drop', drop, { signal });
    return () => ended.abort();
  }, [onDrop]);
  return fileCount;
}
