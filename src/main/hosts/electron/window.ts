import type { BrowserWindowConstructorOptions, Rectangle, WebPreferences } from 'electron';

/** What every window of ours runs with. Several are Electron's defaults; they are said here so that they stay. */
export const webPreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  safeDialogs: true,
  spellcheck: false,
} as const satisfies WebPreferences;

/** How a window is made. It shows itself when its page is there, so that nothing blank flashes up. */
export function windowOptions(preload: string, place: Partial<Rectangle>): BrowserWindowConstructorOptions {
  return {
    ...place,
    minWidth: 720,
    minHeight: 480,
    title: 'Wellbench',
    show: false,
    webPreferences: { ...webPreferences, preload },
  };
}
