import type { BrowserWindow, Dialog, MessageBoxOptions } from 'electron';
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

/** Asks over a window, or by itself where there is none. @returns the place of the button that was pressed */
export async function askOver(
  dialog: Pick<Dialog, 'showMessageBox'>,
  window: BrowserWindow | null,
  asked: MessageBoxOptions,
): Promise<number> {
  const { response } = await (window ? dialog.showMessageBox(window, asked) : dialog.showMessageBox(asked));
  return response;
}
