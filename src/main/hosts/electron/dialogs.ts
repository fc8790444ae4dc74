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
import { basename, extname, join } from 'node:path';
import type { HostOptions } from '../../app.ts';
import { fileExtensions, fileKinds } from '../../../shared/upload/formats.ts';
import { sourceAt, targetAt, type FileTarget } from '../../core/files/files.ts';
import { copyToOutput, isFree } from '../../core/files/output-file.ts';
import { plainName } from '../../core/files/plain-name.ts';

/** The system's dialogs, modal to the focused window if there is one. */
export function createDialogs(
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

/** Modal to a window if there is one. @returns whether the first button was pressed */
export async function showQuestion(
  dialog: Pick<Dialog, 'showMessageBox'>,
  window: BrowserWindow | null,
  question: Omit<MessageBoxOptions, 'type'>,
): Promise<boolean> {
  const options = { type: 'question' as const, ...question };
  const { response } = await (window
    ? dialog.showMessageBox(window, options)
    : dialog.showMessageBox(options));
  return response === 0;
}

export type FileDialogs = ReturnType<typeof createDialogs>;

const everything: FileFilter = { name: 'All files', extensions: ['*'] };
const tables: FileFilter = { name: 'Tables', extensions: [...fileExtensions] };
const kinds: FileFilter[] = fileKinds.map(({ name, extensions }) => ({ name, extensions: [...extensions] }));

function filtersFor(name: string): FileFilter[] {
  const extension = extname(name).slice(1);
  return extension ? [{ name: extension.toUpperCase(), extensions: [extension] }, everything] : [everything];
}

/**
 * Selects files with the system's dialogs. The window gets tokens; paths stay in main.
 * @param folder initial folder of the first dialog
 */
export function chooseByDialog(dialogs: FileDialogs, folder: string): HostOptions['choose'] {
  async function chooseTarget(suggestedName: string): Promise<FileTarget | null> {
    // The name comes from the window; a folder in it would open the dialog elsewhere.
    const name = plainName(suggestedName);
    const { canceled, filePath } = await dialogs.save({
      defaultPath: join(folder, name),
      filters: filtersFor(name),
      // Except on Linux, the dialog itself confirms replacing a file.
      properties: ['createDirectory', 'showOverwriteConfirmation'],
    });
    if (canceled || !filePath) return null;
    // The dialog asked whether to replace the file that it showed there, and nothing else.
    return targetAt(filePath, !(await isFree(filePath)));
  }

  return (files) => ({
    async chooseTarget({ suggestedName }) {
      const target = await chooseTarget(suggestedName);
      return target && files.grantTarget(target);
    },
    async chooseFolder() {
      const { canceled, filePaths } = await dialogs.open({
        properties: ['openDirectory', 'createDirectory'],
      });
      const [path] = filePaths;
      return canceled || path === undefined ? null : files.grantFolder({ path, name: basename(path) });
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
      const target = await chooseTarget(source.name);
      if (target === null) return { saved: false };
      await copyToOutput(source.path, target);
      return { saved: true };
    },
  });
}
