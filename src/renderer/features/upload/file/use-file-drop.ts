import { useEffect, useState } from 'react';

/** The number of files dragged over the window; 0: none. */
export type DraggedFileCount = number;

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

/**
 * Accepts files dropped anywhere on the window but where a part takes them itself. Without it, the browser would open them in place of the page.
 * @param onDrop null: files are not accepted now
 */
export function useFileDrop(onDrop: ((files: readonly File[]) => void) | null): DraggedFileCount {
  const [fileCount, setFileCount] = useState<DraggedFileCount>(0);
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
    const listeners = { dragover: over, dragenter: enter, dragleave: leave, drop } as const;
    for (const [name, listener] of Object.entries(listeners))
      document.addEventListener(name as keyof typeof listeners, listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        document.removeEventListener(name as keyof typeof listeners, listener);
    };
  }, [onDrop]);
  return fileCount;
}
