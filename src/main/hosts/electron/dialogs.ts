import type { BrowserWindow, Dialog } from 'electron';
import type { FileDialogs } from './choose.ts';

/** The system's dialogs over the window that the person looks at, or by themselves where there is none. */
export function dialogsOver(
  dialog: Pick<Dialog, 'showSaveDialog' | 'showOpenDialog'>,
  current: () => BrowserWindow | null,
): FileDialogs {
  return {
    save(options) {
      const window = current();
      return window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options);
    },
    open(options) {
      const window = current();
      return window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options);
    },
  };
}
