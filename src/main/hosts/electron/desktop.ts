import { join } from 'node:path';
import type * as Electron from 'electron';
import { createApp, type App } from '../../app.ts';
import { toAppError, type AppError } from '../../../shared/errors/errors.ts';
import { linkScheme } from '../../../shared/query/query-link.ts';
import { chooseByDialog, dialogsOver } from './dialogs.ts';
import { guardContents, guardSession, pageScheme } from './guard.ts';
import { keychainProcess } from './keychain-process.ts';
import { keepUpdated } from './updates.ts';
import { keepMenu } from './menu.ts';
import { acceptOffers, acceptPorts, isOwnMessage, type Message } from './ports.ts';
import { openWindow } from './window.ts';
import { readThing, startedWith, thingsIn } from './outside.ts';
import { answerPages, listPages } from './pages.ts';
import { pauseAsNeeded } from './pauses.ts';
import { askToQuit, liveAndQuit } from './quit.ts';
import { openRecentFiles } from './recent.ts';
import { hearSettings, type HeardSettings } from './settings-heard.ts';
import { keepWindowStates, readWindowStates, createWindows, type Windows } from './windows.ts';
import { showWork } from './work-shown.ts';

export interface DesktopOptions {
  readonly electron: Pick<
    typeof Electron,
    | 'app'
    | 'BrowserWindow'
    | 'clipboard'
    | 'dialog'
    | 'ipcMain'
    | 'Menu'
    | 'net'
    | 'Notification'
    | 'powerMonitor'
    | 'screen'
    | 'session'
    | 'utilityProcess'
  >;
  readonly dataFolder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Folder of the built renderer. */
  readonly renderer: string;
  /** Where the installed application keeps what came with it. */
  readonly resources: string | undefined;
  /** File of the built preload script. */
  readonly preload: string;
  /** Where sentences go beside the log; the log is the core's, and there is none before it. */
  readonly say: (sentence: string) => void;
}

/** What the parts of a running desktop share. */
interface Desk {
  readonly windows: Windows;
  readonly log: (sentence: string) => void;
  /** From now on what is said goes to the log too, and without secrets. */
  logTo(logger: App['log']): void;
}

interface Started {
  readonly core: App;
  readonly settings: HeardSettings;
  /** Brings the window to the front, and shows in it what links and files of these places hold. */
  readonly open: (things: readonly string[]) => Promise<void>;
}

/** The longest that quitting waits for jobs to stop in order, in milliseconds. */
const longestGoodbye = 10_000;

/** Starts the core and shows its window. */
async function start({ electron, ...options }: DesktopOptions, desk: Desk): Promise<Started> {
  const { app, dialog, ipcMain, session, utilityProcess } = electron;
  const { windows, log } = desk;
  await app.whenReady();
  const dialogs = dialogsOver(dialog, windows.current);
  const [core, pages] = await Promise.all([
    createApp({
      host: 'electron',
      fileMode: 'dialog',
      dataFolder: options.dataFolder,
      env: options.env,
      choose: chooseByDialog(dialogs, app.getPath('downloads')),
      resolveProxy: (url) => session.defaultSession.resolveProxy(url),
      startKeychain: keychainProcess(utilityProcess),
      warn: options.say,
    }),
    listPages(options.renderer),
  ]);
  desk.logTo(core.log);
  guardSession(session.defaultSession, log);
  session.defaultSession.protocol.handle(pageScheme.scheme, answerPages(pages));
  const isOwn = (message: Message): boolean => isOwnMessage(message, windows.contents);
  const onFault = (error: AppError): void => {
    core.log.fault(error);
    options.say(core.log.clean(error.message));
  };
  acceptPorts({ ipc: ipcMain, isOwn, router: core.router, onFault, log });
  acceptOffers({ ipc: ipcMain, isOwn, files: core.files, log });
  const recent = await openRecentFiles(join(options.dataFolder, 'recent.json'), () => showMenu(), log);
  const open = async (things: readonly string[]): Promise<void> => {
    const window = await windows.show();
    for (const thing of things) {
      const found = await readThing(thing);
      core.opened.hand(found, window.webContents.id);
      if (found.kind === 'queries' && found.file !== null) await recent.add(thing);
    }
  };
  const updates = keepUpdated({ electron, resources: options.resources, window: windows.current, log });
  const ending = new AbortController();
  app.once('will-quit', () => ending.abort());
  const settings = hearSettings(core.settings, () => showMenu(), log, ending.signal);
  const showMenu = keepMenu({
    electron,
    windows,
    dialogs,
    recent,
    settingsKeys: settings.keys,
    async showSettings() {
      const window = await windows.show();
      core.opened.hand({ kind: 'settings' }, window.webContents.id);
    },
    open,
    client: core.client,
    updates,
    log,
  });
  // Installers tell the other systems; Windows is told by who runs.
  if (app.isPackaged && process.platform === 'win32') app.setAsDefaultProtocolClient(linkScheme);
  pauseAsNeeded(electron, core, log);
  showWorkOf(core, electron, windows, log, ending.signal);
  await open(thingsIn(process.argv.slice(1), process.cwd()));
  return { core, settings, open };
}

/** Shows how far jobs are, until the application ends. */
function showWorkOf(
  { runner }: App,
  { Notification }: DesktopOptions['electron'],
  { current }: Windows,
  log: (sentence: string) => void,
  ended: AbortSignal,
): void {
  showWork(
    {
      runner,
      progress: (share) => current()?.setProgressBar(share),
      notify: (title, body) => new Notification({ title, body }).show(),
      watched: () => current()?.isFocused() === true,
    },
    ended,
  ).catch((error: unknown) => {
    if (!ended.aborted) log(`Jobs are no longer shown outside the window: ${String(error)}`);
  });
}

/** Runs the application in Electron until it is quit. To be called before Electron is ready, by the first instance. */
export function runDesktop(options: DesktopOptions): void {
  const { app, BrowserWindow, dialog, powerMonitor, screen } = options.electron;
  let logger: App['log'] | null = null;
  let core: App | null = null;
  let asks = (): boolean => true;
  const log = (sentence: string): void => {
    logger?.warn(sentence);
    options.say(logger?.clean(sentence) ?? sentence);
  };
  // A fault of our own in one call is no reason to take the window and all jobs down.
  const onFault = (thrown: unknown): void => {
    logger?.fault(thrown);
    log('Internal error in Wellbench; it continues to run.');
  };
  process.on('unhandledRejection', onFault);
  process.on('uncaughtException', onFault);
  const statePath = join(options.dataFolder, 'window.json');
  const make = (wanted: Electron.BrowserWindowConstructorOptions) => new BrowserWindow(wanted);
  const quit = (): void => app.quit();
  const windows = createWindows({
    open: (state) => openWindow({ make, screen, dialog, quit, preload: options.preload, log }, state),
    read: () => readWindowStates(statePath),
    keep: (states) => keepWindowStates(statePath, states, log),
    onLast: (event) => life.closeLast(event),
    onGone: (contents) => core?.opened.forget(contents),
  });
  guardContents(app, log);
  const started = start(options, {
    windows,
    log,
    logTo: (its) => {
      logger = its;
    },
  });
  started.then(
    (running) => {
      core = running.core;
      asks = running.settings.asks;
    },
    (error: unknown) => {
      dialog.showErrorBox('Wellbench could not start', toAppError(error).message);
      app.exit(1);
    },
  );
  const open = (things: readonly string[]): void =>
    void started
      .then((running) => running.open(things))
      .catch((error: unknown) => log(`Something could not be opened: ${String(error)}`));
  // macOS tells of files and links by events, possibly before we are ready.
  app.on('open-file', (event, path) => {
    event.preventDefault();
    open([path]);
  });
  app.on('open-url', (event, address) => {
    event.preventDefault();
    open([address]);
  });
  const life = liveAndQuit({
    app,
    platform: process.platform,
    show: () => open([]),
    second: (_event, _argv, _cwd, told) => {
      const { data } = startedWith.safeParse(told);
      open(data ? thingsIn(data.argv, data.cwd) : []);
    },
    // Whoever is not to be asked has their jobs stopped in order, to be resumed.
    underWay: () => (asks() ? (core?.runner.activeJobs() ?? 0) : 0),
    ask: (jobs) => askToQuit(dialog, windows.current(), jobs),
    leave: windows.leave,
    close: async () => {
      const running = await started;
      await Promise.all([running.core.close(), windows.kept()]);
    },
    tooLong: () => new Promise((resolve) => setTimeout(resolve, longestGoodbye).unref()),
    log,
  });
  void app.whenReady().then(() => powerMonitor.on('shutdown', life.shutDown));
}
