import { createStore } from 'zustand/vanilla';

/** Whether the last text could not be put on the clipboard; the window says so until it is dismissed. */
export const clipboardFailure = createStore<{ readonly isShown: boolean }>()(() => ({ isShown: false }));

/** Puts text on the clipboard, the one place of the window that does. False: it could not be; the window says so. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    clipboardFailure.setState({ isShown: false });
    return true;
  } catch {
    clipboardFailure.setState({ isShown: true });
    return false;
  }
}
