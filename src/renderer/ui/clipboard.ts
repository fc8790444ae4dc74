import { createStore } from 'zustand/vanilla';

/** Whether the last copy failed, until the user dismisses the notice. */
export const clipboardFailure = createStore<{ readonly isShown: boolean }>()(() => ({ isShown: false }));

/**
 * Copies a text. If it fails, the window says so.
 * @param html what spreadsheets paste instead; null: none. A browser that can’t copy HTML copies the text only
 * @returns whether it succeeded
 */
export async function copyText(text: string, html: string | null = null): Promise<boolean> {
  try {
    if (html === null || typeof ClipboardItem === 'undefined') await navigator.clipboard.writeText(text);
    else {
      const blob = (type: string, part: string) => ({ [type]: new Blob([part], { type }) });
      const item = new ClipboardItem({ ...blob('text/plain', text), ...blob('text/html', html) });
      await navigator.clipboard.write([item]);
    }
    clipboardFailure.setState({ isShown: false });
    return true;
  } catch {
    clipboardFailure.setState({ isShown: true });
    return false;
  }
}
