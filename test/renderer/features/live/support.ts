import { vi } from 'vitest';

/** The status of a hidden page, in which live views pause. Put back by `vi.unstubAllGlobals()`. */
export function stubHiddenPage(): void {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: true }));
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
}
