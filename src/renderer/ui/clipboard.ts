import { createStore } from 'zustand/vanilla';

/** Whether the last copy failed, until the user dismisses the notice. */
export const clipboardFailure = createStore<{ readonly isShown: boolean }>()(() => ({ isShown: false }));

/**
 * Copies a text. If it fails, the window says so.
 * @returns whether it succeeded
 */
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
