import type {
  BrowserWindow,
  Dialog,
  MessageBoxOptions,
  FileFilter,
  OpenDialogOptions,
  OpenDialogReturnValue,
  SaveDialogOptions,
  SaveDialogReturnValue,
} from 'electron';
import { extname, join } from 'node:path';
import type { HostOptions } from '../../app.ts';
import { fileExtensions, fileKinds } from '../../../shared/upload/file-kinds.ts';
import { copyWhole } from '../../files/disk.ts';
import { sourceAt, targetAt } from '../../files/files.ts';
import { plainName } from '../../files/plain-name.ts';
import { writeText } from '../../files/shared-file.ts';

/** The system's dialogs over the window that the person looks at, or by themselves where there is none. */
export function dialogsOver(
  dialog: Pick<Dialog, 'showSaveDialog' | 'showOpenDialog'>,
  current: () => BrowserWindow | null,
) {
  return {
    save(options: SaveDialogOptions): Promise<SaveDialogReturnValue> {
      const window = current();
      return window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options);
    },
    open(options: OpenDialogOptions): Promise<OpenDialogReturnValue> {
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

/** The system's own dialogs, over our window. */
export type FileDialogs = ReturnType<typeof dialogsOver>;

const everything: FileFilter = { name: 'All files', extensions: ['*'] };
const tables: FileFilter = { name: 'Tables', extensions: [...fileExtensions] };
const kinds: FileFilter[] = fileKinds.map(({ name, extensions }) => ({ name, extensions: [...extensions] }));

function filtersFor(name: string): FileFilter[] {
  const extension = extname(name).slice(1);
  return extension ? [{ name: extension.toUpperCase(), extensions: [extension] }, everything] : [everything];
}

/**
 * Lets the person choose by the system's dialogs. The window gets tokens; the paths stay here.
 * @param folder where the first dialog opens
 */
export function chooseByDialog(dialogs: FileDialogs, folder: string): HostOptions['choose'] {
  async function askWhere(suggestedName: string): Promise<string | null> {
    // The name comes from the window; a folder in it would open the dialog elsewhere.
    const name = plainName(suggestedName);
    const { canceled, filePath } = await dialogs.save({
      defaultPath: join(folder, name),
      filters: filtersFor(name),
      // Elsewhere than on Linux the dialog asks of itself before it takes the place of a file.
      properties: ['createDirectory', 'showOverwriteConfirmation'],
    });
    return canceled || !filePath ? null : filePath;
  }

  return (files) => ({
    async chooseTarget({ suggestedName }) {
      const path = await askWhere(suggestedName);
      return path === null ? null : files.grantTarget(targetAt(path));
    },
    async chooseSources() {
      const { canceled, filePaths } = await dialogs.open({
        filters: [tables, ...kinds, everything],
        properties: ['openFile', 'multiSelections'],
      });
      return canceled ? [] : Promise.all(filePaths.map((path) => files.grantSource(sourceAt(path))));
    },
    async saveCopy({ token }) {
      const source = files.source(token);
      const path = await askWhere(source.name);
      if (path === null) return { saved: false };
      await copyWhole(source.path, path);
      return { saved: true };
    },
    async saveText({ suggestedName, text }) {
      const path = await askWhere(suggestedName);
      if (path === null) return { saved: false };
      await writeText(path, text);
      return { saved: true };
    },
  });
}
