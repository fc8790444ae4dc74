import { once } from '../../once.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { askOver } from './dialogs.ts';

/** What is used of the library for updates. */
interface Updater {
  /** The version that is newer than this one; null: there is none. */
  look(): Promise<string | null>;
  /** Fetches what was found, checks it, and has it installed when the application quits. */
  fetch(): Promise<void>;
}

interface UpdatesOptions {
  readonly load: () => Promise<Updater>;
  readonly isOnline: () => boolean;
  /** Asks the person whether to fetch a version. */
  readonly ask: (version: string) => Promise<boolean>;
  /** Tells the person something that they need not answer. */
  readonly tell: (title: string, body: string) => void;
  readonly log: (sentence: string) => void;
}

export interface Updates {
  /** Looks by itself: says nothing unless there is something new that was not declined before. */
  look(): Promise<void>;
  /** Looks because the person asked for it: says what came of it in any case. */
  lookForPerson(): Promise<void>;
}

/**
 * Looks for updates, and fetches one when the person says so. It is installed when they quit, so that no job is ended
 * for it. One look at a time; what goes wrong is logged, and told to who asked.
 */
export function createUpdates({ load, isOnline, ask, tell, log }: UpdatesOptions): Updates {
  const updater = once(load);
  let underWay: Promise<void> | null = null;
  let ready: string | null = null;
  const declined = new Set<string>();

  async function lookOnce(asked: boolean): Promise<void> {
    const say = (title: string, body: string): void => {
      if (asked) tell(title, body);
    };
    if (ready !== null) return say(...fetched(ready));
    if (!isOnline()) return say('No network connection', 'Check for updates again when you’re online.');
    try {
      const { look, fetch } = await updater();
      const version = await look();
      if (version === null) return say('Wellbench is up to date', 'You have the newest version.');
      if (!asked && declined.has(version)) return;
      if (!(await ask(version))) return void declined.add(version);
      tell(
        `Wellbench ${version} is downloading`,
        'You can continue to work. Wellbench notifies you when it is ready.',
      );
      await fetch();
      ready = version;
      tell(...fetched(version));
    } catch (error) {
      log(`Checking for or downloading updates failed: ${String(error)}`);
      say('No update', 'The update server can’t be reached or the update is damaged. Retry later.');
    }
  }
  const fetched = (version: string): [string, string] => [
    `Wellbench ${version} is ready`,
    'It is installed when you quit Wellbench.',
  ];
  const look = (asked: boolean): Promise<void> => {
    underWay ??= lookOnce(asked).finally(() => {
      underWay = null;
    });
    return underWay;
  };
  return { look: () => look(false), lookForPerson: () => look(true) };
}

/** What an installer with a feed has beside the application; without one nothing looks for updates. */
const feedFile = 'app-update.yml';

/**
 * The library that looks for updates and fetches them, of an installed application that was given a feed when it was
 * packed (`electron-builder.config.mjs`). It checks the digest of what it fetched, and who signed it. On Linux it could not
 * check that, so there nothing is fetched, whatever lies beside the application.
 * @returns how to load it; null: there is no feed
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
    // Links are bad, and a download may cost: nothing is fetched unasked, nothing ends a job.
    updater.autoDownload = false;
    updater.autoInstallOnAppQuit = true;
    updater.logger = null;
    return {
      async look() {
        const found = await updater.checkForUpdates();
        return found?.isUpdateAvailable ? found.updateInfo.version : null;
      },
      fetch: async () => void (await updater.downloadUpdate()),
    };
  };
}

/** When updates are looked for: not while the window opens, and once a day after that; in milliseconds. */
const firstLookMs = 60_000;
const everyMs = 24 * 60 * 60_000;

interface KeepUpdatedOptions {
  readonly electron: Pick<typeof Electron, 'app' | 'dialog' | 'net' | 'Notification'>;
  /** Where the installed application keeps what came with it. */
  readonly resources: string | undefined;
  readonly window: () => Electron.BrowserWindow | null;
  readonly log: (sentence: string) => void;
}

/** Looks for updates until the application ends. @returns what the menu can ask for; null: there is no feed */
export function keepUpdated({ electron, resources, window, log }: KeepUpdatedOptions): Updates | null {
  const { app, dialog, net, Notification } = electron;
  const load = updaterOf(app, resources);
  if (load === null) return null;
  const updates = createUpdates({
    load,
    isOnline: () => net.isOnline(),
    ask: (version) => askToFetch(dialog, window(), version),
    tell: (title, body) => new Notification({ title, body }).show(),
    log,
  });
  const look = (): void => void updates.look();
  const timers = [setTimeout(look, firstLookMs).unref(), setInterval(look, everyMs).unref()];
  app.once('will-quit', () => timers.forEach((timer) => clearTimeout(timer)));
  return updates;
}

async function askToFetch(
  dialog: Pick<Electron.Dialog, 'showMessageBox'>,
  window: Electron.BrowserWindow | null,
  version: string,
): Promise<boolean> {
  const asked = {
    type: 'question' as const,
    message: `Wellbench ${version} is available.`,
    detail: 'It is downloaded while you work and installed when you quit. Jobs continue.',
    buttons: ['Fetch it', 'Not now'],
    defaultId: 0,
    cancelId: 1,
  };
  return (await askOver(dialog, window, asked)) === 0;
}
