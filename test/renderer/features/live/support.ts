import { vi } from 'vitest';
import type { PageStatus } from '../../../../src/renderer/api/page-status.ts';

/** The status of a hidden page, in which live views pause. Put back by `vi.unstubAllGlobals()`. */
export function stubHiddenPage(): void {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: true }));
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
}

/** The status of a page, which a test changes: `changed` tells those who watch it. */
export function changeablePage() {
  const around = { hidden: false, online: true, changed: (): void => undefined };
  const page: PageStatus = {
    hidden: () => around.hidden,
    online: () => around.online,
    watch(changed) {
      around.changed = changed;
      return () => void (around.changed = () => undefined);
    },
  };
  return { around, page };
}
