import { basename, dirname } from 'node:path';
import type * as Electron from 'electron';
import type { MenuItemConstructorOptions } from 'electron';
import { visibleLine } from '../../../shared/errors/errors.ts';
import { savedExtension } from '../../../shared/saved/sharing.ts';
import type { DirectClient } from '../../app.ts';
import type { FileDialogs } from './dialogs.ts';
import type { Updates } from './updates.ts';
import type { Windows } from './windows.ts';
import * as z from 'zod';
import { writeWhole } from '../../core/files/disk.ts';
import { readOwnJson } from '../../core/files/regular-file.ts';

interface MenuOptions {
  readonly platform: NodeJS.Platform;
  /** Running from a checkout: reload and developer tools are available. */
  readonly development: boolean;
  /** Paths of the files that were opened last. */
  readonly recent: readonly string[];
  /** The shortcuts of the settings; null: none. */
  readonly settingsKeys: string | null;
  readonly act: {
    readonly newWindow: () => void;
    readonly settings: () => void;
    readonly openFile: () => void;
    readonly openRecent: (path: string) => void;
    readonly clearRecent: () => void;
    readonly copyDiagnostics: () => void;
    readonly checkForUpdates: (() => void) | null;
  };
}

const separator: MenuItemConstructorOptions = { type: 'separator' };

/** A `&` would underline the letter after it. */
const plain = (text: string): string => visibleLine(text).replaceAll('&', '&&');

function recentFiles({ recent, act }: MenuOptions): MenuItemConstructorOptions {
  const files = recent.map((path): MenuItemConstructorOptions => ({
    id: `openRecent ${path}`,
    label: plain(`${basename(path)} (${dirname(path)})`),
    click: () => act.openRecent(path),
  }));
  const clear: MenuItemConstructorOptions = { label: 'Clear list', click: () => act.clearRecent() };
  return {
    label: 'Open &recent',
    enabled: files.length > 0,
    submenu: files.length > 0 ? [...files, separator, clear] : [],
  };
}

/** The application menu of macOS, with the settings where users expect them. */
const macMenu = (settings: MenuItemConstructorOptions): MenuItemConstructorOptions => ({
  role: 'appMenu',
  submenu: [
    { role: 'about' },
    separator,
    settings,
    separator,
    { role: 'services' },
    separator,
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    separator,
    { role: 'quit' },
  ],
});

/**
 * The window's menu. Roles have each system's labels, shortcuts, and behavior. Ctrl+W closes a tab of the
 * page; only macOS expects it to close the window.
 */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  const { platform, development, settingsKeys, act } = options;
  const mac = platform === 'darwin';
  const settings: MenuItemConstructorOptions = {
    label: '&Settings…',
    click: () => act.settings(),
    ...(settingsKeys === null ? {} : { accelerator: settingsKeys }),
  };
  const tools: MenuItemConstructorOptions[] = [{ role: 'reload' }, { role: 'toggleDevTools' }, separator];
  const { checkForUpdates } = act;
  const updates: MenuItemConstructorOptions[] = checkForUpdates
    ? [{ label: 'Check for &updates…', click: () => checkForUpdates() }]
    : platform === 'linux' && !development
      ? [{ label: 'Updates come as packages', enabled: false }]
      : [];
  const about: MenuItemConstructorOptions = { role: 'about', label: 'About Wellbench' };
  return [
    ...(mac ? [macMenu(settings)] : []),
    {
      id: 'file',
      label: '&File',
      submenu: [
        {
          id: 'newWindow',
          label: '&New window',
          accelerator: 'CommandOrControl+Shift+N',
          click: () => act.newWindow(),
        },
        separator,
        { label: '&Open saved queries…', accelerator: 'CommandOrControl+O', click: () => act.openFile() },
        recentFiles(options),
        separator,
        ...(mac ? [] : [settings, separator]),
        mac ? { role: 'close' } : { role: 'quit', label: 'E&xit', accelerator: 'CommandOrControl+Q' },
      ],
    },
    { id: 'edit', role: 'editMenu', label: '&Edit' },
    {
      id: 'view',
      label: '&View',
      submenu: [
        ...(development ? tools : []),
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        separator,
        { role: 'togglefullscreen' },
      ],
    },
    mac ? { role: 'windowMenu' } : { label: '&Window', submenu: [{ role: 'minimize' }] },
    {
      role: 'help',
      label: '&Help',
      submenu: [
        ...updates,
        { id: 'copyDiagnostics', label: 'Copy &diagnostics', click: () => act.copyDiagnostics() },
        ...(mac ? [] : [separator, about]),
      ],
    },
  ];
}

interface MenuActionsOptions {
  readonly electron: Pick<typeof Electron, 'app' | 'clipboard' | 'Menu' | 'Notification'>;
  readonly windows: Pick<Windows, 'add'>;
  readonly dialogs: Pick<FileDialogs, 'open'>;
  readonly recent: RecentFiles;
  /** The keys of the settings as they are now; null: none. */
  readonly settingsKeys: () => string | null;
  /** Shows the settings in the focused window. */
  readonly showSettings: () => Promise<void>;
  readonly open: (openArguments: readonly string[]) => Promise<void>;
  readonly client: { readonly workspace: Pick<DirectClient['workspace'], 'diagnostics'> };
  readonly updates: Pick<Updates, 'checkOnRequest'> | null;
  readonly log: (sentence: string) => void;
}

/** Installs the menu. @returns updates it with the current recent files and shortcuts */
export function installMenu(options: MenuActionsOptions): () => void {
  const { electron, windows, dialogs, recent, settingsKeys, showSettings, open, client, updates, log } =
    options;
  const { app, clipboard, Menu, Notification } = electron;
  const act =
    (work: () => Promise<unknown>): (() => void) =>
    () =>
      void work().catch((error: unknown) => log(`A menu command failed: ${String(error)}`));

  async function chooseFiles(): Promise<void> {
    const { canceled, filePaths } = await dialogs.open({
      filters: [{ name: 'Saved queries', extensions: [savedExtension, 'json'] }],
      properties: ['openFile', 'multiSelections'],
    });
    if (!canceled) await open(filePaths);
  }
  async function copyDiagnostics(): Promise<void> {
    await clipboard.writeText((await client.workspace.diagnostics({})).text);
    const body = 'Paste them where you ask for help. They contain no credentials, but review them first.';
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
            checkForUpdates: updates && act(() => updates.checkOnRequest()),
          },
        }),
      ),
    );
  show();
  return show;
}

const maxFiles = 8;
const storedFiles = z.object({ files: z.array(z.string().min(1)).max(maxFiles) });

/** The most recently opened files of saved queries, newest first. Their paths stay in main. */
export type RecentFiles = Awaited<ReturnType<typeof openRecentFiles>>;

/** @param changed called when the list changes */
export async function openRecentFiles(path: string, changed: () => void, log: (sentence: string) => void) {
  let files = (await readOwnJson(path, storedFiles))?.files ?? [];
  async function update(next: string[]): Promise<void> {
    files = next;
    changed();
    await writeWhole(path, JSON.stringify({ files })).catch((error: unknown) =>
      log(`The list of recent files wasn't saved: ${String(error)}`),
    );
  }
  return {
    list: (): readonly string[] => files,
    add: (path: string): Promise<void> =>
      update([path, ...files.filter((other) => other !== path)].slice(0, maxFiles)),
    clear: (): Promise<void> => update([]),
  };
}
