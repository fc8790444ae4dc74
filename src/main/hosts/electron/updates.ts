import { once } from '../../core/once.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { showQuestion } from './dialogs.ts';

/** What is used of the library for updates. */
interface Updater {
  /** The newer version; null if there is none. */
  check(): Promise<string | null>;
  /** Downloads the newer version and verifies it; it is installed when the application quits. */
  fetch(): Promise<void>;
}

interface UpdatesOptions {
  readonly load: () => Promise<Updater>;
  readonly isOnline: () => boolean;
  readonly confirmDownload: (version: string) => Promise<boolean>;
  /** Shows a message that needs no response. */
  readonly showMessage: (title: string, body: string) => void;
  readonly log: (sentence: string) => void;
}

export type Updates = ReturnType<typeof createUpdates>;

/**
 * Checks for updates and downloads one after confirmation. It is installed at quit, so no job is ended for
 * it. One check at a time; failures are logged, and shown if the user requested the check.
 */
export function createUpdates({ load, isOnline, confirmDownload, showMessage, log }: UpdatesOptions) {
  const updater = once(load);
  let activeCheck: Promise<void> | null = null;
  let isRequested = false;
  let ready: string | null = null;
  const declined = new Set<string>();

  async function checkOnce(): Promise<void> {
    const showIfRequested = (title: string, body: string): void => {
      if (isRequested) showMessage(title, body);
    };
    if (ready !== null) return showIfRequested(...fetched(ready));
    if (!isOnline())
      return showIfRequested('No network connection', 'Check for updates again when you’re online.');
    try {
      const { check, fetch } = await updater();
      const version = await check();
      if (version === null) return showIfRequested('Wellbench is up to date', 'You have the newest version.');
      if (!isRequested && declined.has(version)) return;
      if (!(await confirmDownload(version))) return void declined.add(version);
      showMessage(`Wellbench ${version} is downloading`, 'You get a notification when it is ready.');
      await fetch();
      ready = version;
      showMessage(...fetched(version));
    } catch (error) {
      log(`Checking for or downloading updates failed: ${String(error)}`);
      showIfRequested(
        'No update',
        'The update server can’t be reached or the update is damaged. Retry later.',
      );
    }
  }
  const fetched = (version: string): [string, string] => [
    `Wellbench ${version} is ready`,
    'It is installed when you quit Wellbench.',
  ];
  /** Checks in the background: shows only a new version that wasn't declined before. */
  const check = (): Promise<void> => {
    activeCheck ??= checkOnce().finally(() => {
      activeCheck = null;
      isRequested = false;
    });
    return activeCheck;
  };
  /** Checks on request: shows the result in any case, also that of a check in the background that runs already. */
  const checkOnRequest = (): Promise<void> => {
    isRequested = true;
    return check();
  };
  return { check, checkOnRequest };
}

/** The feed file of an installed application; without it there are no update checks. */
const feedFile = 'app-update.yml';

/**
 * The update library of an installed application with a feed (`electron-builder.config.mjs`). It verifies
 * digest and signature of downloads. On Linux it can't verify a signature, so nothing is downloaded there.
 * @returns loads the library; null: no feed
 */
export function updaterOf(
  app: { readonly isPackaged: boolean },
  resources: string | undefined,
  platform: NodeJS.Platform = process.platform,
): (() => Promise<Updater>) | null {
  if (
    platform === 'linux' ||
    !app.isPackaged ||
    resources === undefined ||
    !existsSync(join(resources, feedFile))
  )
    return null;
  return async () => {
    const { default: library } = await import('electron-updater');
    const updater = library.autoUpdater;
    // Links are slow and downloads may cost: nothing is downloaded without confirmation, and no job is ended.
    updater.autoDownload = false;
    updater.autoInstallOnAppQuit = true;
    updater.logger = null;
    return {
      async check() {
        const update = await updater.checkForUpdates();
        return update?.isUpdateAvailable ? update.updateInfo.version : null;
      },
      fetch: async () => void (await updater.downloadUpdate()),
    };
  };
}

/** Delay of the first check after startup, and interval of later ones, in milliseconds. */
const firstCheckMs = 60_000;
const checkIntervalMs = 24 * 60 * 60_000;

interface KeepUpdatedOptions {
  readonly electron: Pick<typeof Electron, 'app' | 'dialog' | 'net' | 'Notification'>;
  /** The folder of the installed application's files. */
  readonly resources: string | undefined;
  readonly window: () => Electron.BrowserWindow | null;
  readonly log: (sentence: string) => void;
}

/** Checks for updates until the application ends. @returns the check for the menu; null: no feed */
export function keepUpdated({ electron, resources, window, log }: KeepUpdatedOptions): Updates | null {
  const { app, dialog, net, Notification } = electron;
  const load = updaterOf(app, resources);
  if (load === null) return null;
  const updates = createUpdates({
    load,
    isOnline: () => net.isOnline(),
    confirmDownload: (version) => showDownloadQuestion(dialog, window(), version),
    showMessage: (title, body) => new Notification({ title, body }).show(),
    log,
  });
  const check = (): void => void updates.check();
  const timers = [setTimeout(check, firstCheckMs).unref(), setInterval(check, checkIntervalMs).unref()];
  app.once('will-quit', () => timers.forEach((timer) => clearTimeout(timer)));
  return updates;
}

const showDownloadQuestion = (
  dialog: Pick<Electron.Dialog, 'showMessageBox'>,
  window: Electron.BrowserWindow | null,
  version: string,
): Promise<boolean> =>
  showQuestion(dialog, window, {
    message: `Wellbench ${version} is available.`,
    detail: 'It is downloaded while you work and installed when you quit. Jobs continue.',
    buttons: ['Download', 'Not now'],
    defaultId: 0,
    cancelId: 1,
  });
