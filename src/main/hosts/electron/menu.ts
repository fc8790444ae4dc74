import { basename, dirname } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import { visibleLine } from '../../../shared/errors/visible-text.ts';

export interface MenuOptions {
  readonly platform: NodeJS.Platform;
  /** From a checkout, not installed: reloading and developer tools are at hand. */
  readonly development: boolean;
  /** Paths of the files that were opened last. */
  readonly recent: readonly string[];
  /** The keys of the settings, as the person has them; null: none. */
  readonly settingsKeys: string | null;
  readonly act: {
    readonly newWindow: () => void;
    readonly settings: () => void;
    readonly openFile: () => void;
    readonly openRecent: (path: string) => void;
    readonly clearRecent: () => void;
    readonly copyDiagnostics: () => void;
    /** Null: there is nowhere to look. */
    readonly lookForUpdates: (() => void) | null;
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
  const clear: MenuItemConstructorOptions = { label: 'Clear the list', click: () => act.clearRecent() };
  return {
    label: 'Open &recent',
    enabled: files.length > 0,
    submenu: files.length > 0 ? [...files, separator, clear] : [],
  };
}

/** What macOS has under the application's own name, with the settings where people look for them. */
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
 * The window's menu. Roles bring words, shortcuts and behaviour of each system. Ctrl+W stays with the page, whose tabs
 * it closes; only macOS expects it to close the window.
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
  const { lookForUpdates } = act;
  const updates: MenuItemConstructorOptions[] = lookForUpdates
    ? [{ label: 'Look for &updates…', click: () => lookForUpdates() }]
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
