import type { MenuItemConstructorOptions } from 'electron';

export interface MenuOptions {
  readonly platform: NodeJS.Platform;
  /** From a checkout, not installed: reloading and developer tools are at hand. */
  readonly development: boolean;
}

const separator: MenuItemConstructorOptions = { type: 'separator' };

/**
 * The window's menu. Roles bring words, shortcuts and behaviour of each system. Ctrl+W stays with the page, whose tabs
 * it closes; only macOS expects it to close the window.
 */
export function menuTemplate({ platform, development }: MenuOptions): MenuItemConstructorOptions[] {
  const mac = platform === 'darwin';
  const tools: MenuItemConstructorOptions[] = [{ role: 'reload' }, { role: 'toggleDevTools' }, separator];
  const about: MenuItemConstructorOptions = { role: 'about', label: 'About Wellbench' };
  return [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        mac ? { role: 'close' } : { role: 'quit', label: 'E&xit', accelerator: 'CommandOrControl+Q' },
      ],
    },
    { role: 'editMenu', label: '&Edit' },
    {
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
    { role: 'help', label: '&Help', submenu: mac ? [] : [about] },
  ];
}
