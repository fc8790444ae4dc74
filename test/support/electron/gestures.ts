import type { Locator, Page } from '@playwright/test';
import type { OpenDialogOptions, SaveDialogOptions } from 'electron';
import type { Desktop } from './desktop.ts';

declare global {
  // The requests to the scripted dialogs, in the main process.
  var askedToSave: SaveDialogOptions[] | undefined;
  var askedToOpen: OpenDialogOptions[] | undefined;
}

/** Answers save dialogs with a path from now on, as a user would; null: cancels. */
export const answerSaveDialog = (desktop: Desktop, path: string | null): Promise<void> =>
  desktop.evaluate(({ dialog }, filePath) => {
    const requests = (globalThis.askedToSave ??= []);
    dialog.showSaveDialog = async (...given: unknown[]) => {
      requests.push(given.at(-1) as SaveDialogOptions);
      return { canceled: filePath === null, filePath: filePath ?? '' };
    };
  }, path);

/** Answers open dialogs with paths from now on; none: cancels. */
export const answerOpenDialog = (desktop: Desktop, paths: string[]): Promise<void> =>
  desktop.evaluate(({ dialog }, filePaths) => {
    const requests = (globalThis.askedToOpen ??= []);
    dialog.showOpenDialog = async (...given: unknown[]) => {
      requests.push(given.at(-1) as OpenDialogOptions);
      return { canceled: filePaths.length === 0, filePaths };
    };
  }, paths);

/** Puts files into a file input of the page like the system's dialog: with their paths. */
export async function pickFiles(page: Page, selector: string, paths: string[]): Promise<void> {
  const chromium = await page.context().newCDPSession(page);
  const expression = `document.querySelector(${JSON.stringify(selector)})`;
  const { result } = await chromium.send('Runtime.evaluate', { expression });
  await chromium.send('DOM.setFileInputFiles', { files: paths, objectId: result.objectId ?? '' });
  await chromium.detach();
}

/** Drops files from the disk onto a part of the page, as a user does from the system's file manager. */
export async function dropFiles(page: Page, target: Locator, paths: string[]): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error('What the files were to be dropped on is not in view.');
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const chromium = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await chromium.send('Input.dispatchDragEvent', { type, ...at, data });
  await chromium.detach();
}
