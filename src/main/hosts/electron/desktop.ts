import { join } from 'node:path';
import type * as Electron from 'electron';
import { createApp } from '../../app.ts';
import type { App } from '../../app.ts';
import { toAppError } from '../../../shared/errors.ts';
import type { AppError } from '../../../shared/errors.ts';
import { chooseByDialog } from './choose.ts';
import type { FileDialogs } from './choose.ts';
import { guardContents } from './guard-contents.ts';
import { guardSession } from './guard-session.ts';
import { keychainProcess } from './keychain-process.ts';
import { menuTemplate } from './menu.ts';
import { acceptOffers } from './offered.ts';
import { openWindow } from './open-window.ts';
import { answerPages, listPages } from './pages.ts';
import { acceptPorts } from './ports.ts';
import { liveAndQuit } from './quit.ts';
import { pageScheme } from './scheme.ts';
import { isOwnMessage } from './sender.ts';
import type { Message } from './sender.ts';
import { pauseInSleep } from './sleep.ts';
import { createWindows } from './windows.ts';
import type { Windows } from './windows.ts';
import { showWork } from './work-shown.ts';

export interface DesktopOptions {
  readonly electron: Pick<
    typeof Electron,
    | 'app'
    | 'BrowserWindow'
    | 'dialog'
    | 'ipcMain'
    | 'Menu'
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

/** The longest that quitting waits for jobs to stop in order, in milliseconds. */
const longestGoodbye = 10_000;

function dialogsOver(dialog: Electron.Dialog, { current }: Windows): FileDialogs {
  return {
    save(options) {
      const window = current();
      return window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options);
    },
    open(options) {
      const window = current();
      return window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options);
    },
  };
}

/** Starts the core and shows its window. */
async function start({ electron, ...options }: DesktopOptions, desk: Desk): Promise<App> {
  const { app, dialog, ipcMain, Menu, session, utilityProcess } = electron;
  const { windows, log } = desk;
  await app.whenReady();
  const [core, pages] = await Promise.all([
    createApp({
      host: 'electron',
      fileMode: 'dialog',
      dataFolder: options.dataFolder,
      env: options.env,
      choose: chooseByDialog(dialogsOver(dialog, windows), app.getPath('downloads')),
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
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(menuTemplate({ platform: process.platform, development: !app.isPackaged })),
  );
  pauseInSleep({ power: electron.powerMonitor, runner: core.runner, log });
  showWorkOf(core, electron, windows, log);
  await windows.show();
  return core;
}

/** Shows how far jobs are, until the application ends. */
function showWorkOf(
  { runner }: App,
  { app, Notification }: DesktopOptions['electron'],
  { current }: Windows,
  log: (sentence: string) => void,
): void {
  const ending = new AbortController();
  app.once('will-quit', () => ending.abort());
  showWork(
    {
      runner,
      progress: (share) => current()?.setProgressBar(share),
      notify: (title, body) => new Notification({ title, body }).show(),
      watched: () => current()?.isFocused() === true,
    },
    ending.signal,
  ).catch((error: unknown) => {
    if (!ending.signal.aborted) log(`Jobs are no longer shown outside the window: ${String(error)}`);
  });
}

/** Runs the application in Electron until it is quit. To be called before Electron is ready, by the first instance. */
export function runDesktop(options: DesktopOptions): void {
  const { app, BrowserWindow, dialog, screen } = options.electron;
  let logger: App['log'] | null = null;
  const log = (sentence: string): void => {
    logger?.warn(sentence);
    options.say(logger?.clean(sentence) ?? sentence);
  };
  // A fault of our own in one call is no reason to take the window and all jobs down.
  process.on('unhandledRejection', (reason) => {
    logger?.fault(reason);
    log('Something went wrong in Wellbench itself; it goes on.');
  });
  const windows = createWindows(() =>
    openWindow({
      make: (wanted) => new BrowserWindow(wanted),
      screen,
      dialog,
      quit: () => app.quit(),
      preload: options.preload,
      statePath: join(options.dataFolder, 'window.json'),
      log,
    }),
  );
  guardContents(app, log);
  const started = start(options, {
    windows,
    log,
    logTo: (its) => {
      logger = its;
    },
  });
  started.catch((error: unknown) => {
    dialog.showErrorBox('Wellbench could not start', toAppError(error).message);
    app.exit(1);
  });
  liveAndQuit({
    app,
    platform: process.platform,
    show: () => void started.then(() => windows.show()).catch(() => undefined),
    close: async () => {
      const core = await started;
      await Promise.all([core.close(), windows.kept()]);
    },
    tooLong: () => new Promise((resolve) => setTimeout(resolve, longestGoodbye).unref()),
    log,
  });
}
