import { join } from 'node:path';
import type * as Electron from 'electron';
import { createApp, type App } from '../../app.ts';
import { toAppError, type AppError } from '../../../shared/errors/errors.ts';
import { linkScheme } from '../../../shared/query/query-link.ts';
import { chooseByDialog, createDialogs } from './dialogs.ts';
import { guardContents, guardSession, pageScheme } from './guard.ts';
import { startUtilityProcess } from './utility-process.ts';
import { keepUpdated } from './updates.ts';
import { installMenu } from './menu.ts';
import { acceptOffers, acceptPorts, isOwnMessage, type Message } from './ports.ts';
import { openWindow } from './window.ts';
import { readArgument, startedWith, parseArguments } from '../open-arguments.ts';
import { servePages, listPages } from './pages.ts';
import { pauseAutomatically } from './pauses.ts';
import { showQuitQuestion, manageLifecycle } from './quit.ts';
import { openRecentFiles } from './recent.ts';
import { followSettings, type HostSettings } from './host-settings.ts';
import { saveWindowStates, readWindowStates, createWindows, type Windows } from './windows.ts';
import { showJobProgress } from './job-progress.ts';

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
  /** The folder of the installed application's files. */
  readonly resources: string | undefined;
  /** File of the built preload script. */
  readonly preload: string;
  /** Prints messages beside the log, which is available only once the core runs. */
  readonly print: (sentence: string) => void;
}

/** What the parts of a running desktop share. */
interface Desktop {
  readonly windows: Windows;
  readonly log: (sentence: string) => void;
  /** From here on messages also go to the log, redacted. */
  logTo(logger: App['log']): void;
}

interface Started {
  readonly core: App;
  readonly settings: HostSettings;
  /** Focuses the window and opens links and files in it. */
  readonly open: (openArguments: readonly string[]) => Promise<void>;
}

/** The longest that quitting waits for jobs to stop in order, in milliseconds. */
const maxQuitMs = 10_000;

async function start({ electron, ...options }: DesktopOptions, desk: Desktop): Promise<Started> {
  const { app, dialog, ipcMain, Notification, session, utilityProcess } = electron;
  const { windows, log } = desk;
  await app.whenReady();
  const dialogs = createDialogs(dialog, windows.current);
  const [core, pages] = await Promise.all([
    createApp({
      host: 'electron',
      fileMode: 'dialog',
      endsWithWindow: true,
      dataFolder: options.dataFolder,
      env: options.env,
      choose: chooseByDialog(dialogs, app.getPath('downloads')),
      resolveProxy: (url) => session.defaultSession.resolveProxy(url),
      startProcess: startUtilityProcess(utilityProcess),
      warn: options.print,
      notify: (notice) => new Notification(notice).show(),
    }),
    listPages(options.renderer),
  ]);
  desk.logTo(core.log);
  guardSession(session.defaultSession, log);
  session.defaultSession.protocol.handle(pageScheme.scheme, servePages(pages));
  const isOwn = (message: Message): boolean => isOwnMessage(message, windows.contents);
  const onFault = (error: AppError): void => {
    core.log.fault(error);
    options.print(core.log.clean(error.message));
  };
  acceptPorts({ ipc: ipcMain, isOwn, router: core.router, onFault, log });
  acceptOffers({ ipc: ipcMain, isOwn, files: core.files, log });
  const recent = await openRecentFiles(join(options.dataFolder, 'recent.json'), () => showMenu(), log);
  const open = async (openArguments: readonly string[]): Promise<void> => {
    const window = await windows.show();
    for (const argument of openArguments) {
      const item = await readArgument(argument, core.files);
      core.openedItems.deliver(item, window.webContents.id);
      if (item.kind === 'queries' && item.file !== null) await recent.add(argument);
    }
  };
  const updates = keepUpdated({ electron, resources: options.resources, window: windows.current, log });
  const quitController = new AbortController();
  app.once('will-quit', () => quitController.abort());
  const settings = followSettings(core.settings, () => showMenu(), log, quitController.signal);
  const showMenu = installMenu({
    electron,
    windows,
    dialogs,
    recent,
    settingsKeys: settings.keys,
    async showSettings() {
      const window = await windows.show();
      core.openedItems.deliver({ kind: 'settings' }, window.webContents.id);
    },
    open,
    client: core.client,
    updates,
    log,
  });
  // On other systems the installer sets this; on Windows the application does.
  if (app.isPackaged && process.platform === 'win32') app.setAsDefaultProtocolClient(linkScheme);
  pauseAutomatically(electron, core, log);
  showJobProgress(
    {
      runner: core.runner,
      progress: (share) => windows.current()?.setProgressBar(share),
      notify(title, body) {
        if (settings.shouldNotify()) new Notification({ title, body }).show();
      },
      isFocused: () => windows.current()?.isFocused() === true,
    },
    quitController.signal,
  ).catch((error: unknown) => {
    if (!quitController.signal.aborted) log(`Jobs are no longer shown outside the window: ${String(error)}`);
  });
  await open(parseArguments(process.argv.slice(1), process.cwd()));
  return { core, settings, open };
}

/**
 * Runs the application in Electron until it is quit. To be called before Electron is ready, by the first instance.
 * @throws never: an error of the start is shown and ends the process
 */
export function runDesktop(options: DesktopOptions): void {
  const { app, BrowserWindow, dialog, powerMonitor, screen } = options.electron;
  let logger: App['log'] | null = null;
  let core: App | null = null;
  let shouldAsk = (): boolean => true;
  const log = (sentence: string): void => {
    logger?.warn(sentence);
    options.print(logger?.clean(sentence) ?? sentence);
  };
  // A defect in one call must not end the window and all jobs.
  const onFault = (cause: unknown): void => {
    logger?.fault(cause);
    log('Internal error in Wellbench; it continues to run.');
  };
  process.on('unhandledRejection', onFault);
  process.on('uncaughtException', onFault);
  const statePath = join(options.dataFolder, 'window.json');
  const windowOptions = {
    createBrowserWindow: (constructorOptions: Electron.BrowserWindowConstructorOptions) =>
      new BrowserWindow(constructorOptions),
    screen,
    dialog,
    quit: () => app.quit(),
    onStay() {
      windows.stay();
      life.stay();
    },
    preload: options.preload,
    log,
  };
  const windows = createWindows({
    open: (state) => openWindow(windowOptions, state),
    read: () => readWindowStates(statePath),
    keep: (states) => saveWindowStates(statePath, states, log),
    onLast: (event) => life.closeLast(event),
    onGone: (contents) => core?.openedItems.removeWindow(contents),
  });
  guardContents(app, log);
  const started = start(options, {
    windows,
    log,
    logTo(coreLogger) {
      logger = coreLogger;
    },
  });
  started.then(
    (running) => {
      core = running.core;
      shouldAsk = running.settings.shouldAsk;
    },
    (error: unknown) => {
      dialog.showErrorBox('Wellbench could not start', toAppError(error).message);
      app.exit(1);
    },
  );
  const open = (openArguments: readonly string[]): void =>
    void started
      .then((running) => running.open(openArguments))
      .catch((error: unknown) => log(`Something could not be opened: ${String(error)}`));
  // macOS reports files and links by events, possibly before the application is ready.
  app.on('open-file', (event, path) => {
    event.preventDefault();
    open([path]);
  });
  app.on('open-url', (event, address) => {
    event.preventDefault();
    open([address]);
  });
  const life = manageLifecycle({
    app,
    platform: process.platform,
    show: () => open([]),
    onSecondInstance: (_event, _argv, _cwd, secondArguments) => {
      const { data } = startedWith.safeParse(secondArguments);
      open(data ? parseArguments(data.argv, data.cwd) : []);
    },
    // Without a confirmation, jobs are stopped so they can be resumed.
    activeJobs: () => (shouldAsk() ? (core?.runner.activeJobs() ?? 0) : 0),
    confirmQuit: (jobs) => showQuitQuestion(dialog, windows.current(), jobs),
    onQuit: windows.markQuitting,
    close: async () => {
      const running = await started;
      await Promise.all([running.core.close(), windows.storedWindows()]);
    },
    tooLong: () => new Promise((resolve) => setTimeout(resolve, maxQuitMs).unref()),
    log,
  });
  void app.whenReady().then(() => powerMonitor.on('shutdown', life.shutDown));
}
