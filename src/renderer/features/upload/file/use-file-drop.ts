import { useEffect, useState } from 'react';

/** How many files are held over the window; 0: none. */
export type Held = number;

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

/**
 * Takes files that are dropped anywhere on the window. Without it the browser would leave the page for the file.
 * @param onDrop gets the files; null: files are not taken now, and nothing happens
 */
export function useFileDrop(onDrop: ((files: readonly File[]) => void) | null): Held {
  const [held, setHeld] = useState<Held>(0);
  useEffect(() => {
    // Entering an element inside comes before leaving the one around it.
    let depth = 0;
    const hold = (event: DragEvent) => setHeld(Math.max(event.dataTransfer?.items.length ?? 1, 1));
    // Comes again and again while they are held: also to a window that began to listen after they had entered.
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      hold(event);
      if (event.dataTransfer) event.dataTransfer.dropEffect = onDrop ? 'copy' : 'none';
    };
    const enter = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      depth += 1;
      hold(event);
    };
    const end = () => {
      depth = 0;
      setHeld(0);
    };
    const leave = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      depth -= 1;
      if (depth <= 0) end();
    };
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      end();
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
  return held;
}
