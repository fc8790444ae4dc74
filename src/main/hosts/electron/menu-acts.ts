import type * as Electron from 'electron';
import { savedExtension } from '../../../shared/saved/saved-file.ts';
import type { DirectClient } from '../../dispatch.ts';
import type { FileDialogs } from './choose.ts';
import { menuTemplate } from './menu.ts';
import type { RecentFiles } from './recent.ts';
import type { Updates } from './updates.ts';
import type { Windows } from './windows.ts';

export interface MenuActsOptions {
  readonly electron: Pick<typeof Electron, 'app' | 'clipboard' | 'Menu' | 'Notification'>;
  readonly windows: Pick<Windows, 'add'>;
  readonly dialogs: Pick<FileDialogs, 'open'>;
  readonly recent: RecentFiles;
  /** The keys of the settings as they are now; null: none. */
  readonly settingsKeys: () => string | null;
  /** Shows the settings in the window that is looked at. */
  readonly showSettings: () => Promise<void>;
  /** Shows what is at these places. */
  readonly open: (things: readonly string[]) => Promise<void>;
  readonly client: { readonly workspace: Pick<DirectClient['workspace'], 'diagnostics'> };
  /** Null: there is nowhere to look for updates. */
  readonly updates: Pick<Updates, 'lookForPerson'> | null;
  readonly log: (sentence: string) => void;
}

/** Puts the menu in its place, and gives the function that does so again, with the recent files and keys as they are then. */
export function keepMenu(options: MenuActsOptions): () => void {
  const { electron, windows, dialogs, recent, settingsKeys, showSettings, open, client, updates, log } =
    options;
  const { app, clipboard, Menu, Notification } = electron;
  const act =
    (work: () => Promise<unknown>): (() => void) =>
    () =>
      void work().catch((error: unknown) =>
        log(`What the menu was asked for could not be done: ${String(error)}`),
      );

  async function chooseFiles(): Promise<void> {
    const { canceled, filePaths } = await dialogs.open({
      filters: [{ name: 'Saved queries', extensions: [savedExtension, 'json'] }],
      properties: ['openFile', 'multiSelections'],
    });
    if (!canceled) await open(filePaths);
  }
  async function copyDiagnostics(): Promise<void> {
    await clipboard.writeText((await client.workspace.diagnostics({})).text);
    const body = 'Paste them where you ask for help. They hold no secret; read them first all the same.';
    new Notification({ title: 'Diagnostics copied', body }).show();
  }

  const show = (): void =>
    Menu.setApplicationMenu(
      Menu.buildFromTemplate(
        menuTemplate({
          platform: process.platform,
          development: !app.isPackaged,
          recent: recent.list(),
          settingsKeys: settingsKeys(),
          act: {
            newWindow: act(() => windows.add()),
            settings: act(showSettings),
            openFile: act(chooseFiles),
            openRecent: (path) => act(() => open([path]))(),
            clearRecent: act(() => recent.clear()),
            copyDiagnostics: act(copyDiagnostics),
            lookForUpdates: updates && act(() => updates.lookForPerson()),
          },
        }),
      ),
    );
  show();
  return show;
}
