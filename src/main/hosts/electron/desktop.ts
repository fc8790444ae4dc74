import { join } from 'node:path';
import type * as Electron from 'electron';
import { createApp } from '../../app.ts';
import type { App } from '../../app.ts';
import { toAppError } from '../../../shared/errors.ts';
import { chooseByDialog } from './choose.ts';
import type { FileDialogs } from './choose.ts';
import { guardContents } from './guard-contents.ts';
import { guardSession } from './guard-session.ts';
import { menuTemplate } from './menu.ts';
import { acceptOffers } from './offered.ts';
import { openWindow } from './open-window.ts';
import { answerPages, listPages } from './pages.ts';
import { acceptPorts } from './ports.ts';
import { liveAndQuit } from './quit.ts';
import { pageScheme } from './scheme.ts';
import { isOwnMessage } from './sender.ts';
import type { Message } from './sender.ts';
import { createWindows } from './windows.ts';
import type { Windows } from './windows.ts';

export interface DesktopOptions {
  readonly electron: Pick<
    typeof Electron,
    'app' | 'BrowserWindow' | 'dialog' | 'ipcMain' | 'Menu' | 'screen' | 'session'
  >;
  readonly dataFolder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Folder of the built renderer. */
  readonly renderer: string;
  /** File of the built preload script. */
  readonly preload: string;
  readonly log: (sentence: string) => void;
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
async function start({ electron, log, ...options }: DesktopOptions, windows: Windows): Promise<App> {
  const { app, dialog, ipcMain, Menu, session } = electron;
  await app.whenReady();
  const [core, pages] = await Promise.all([
    createApp({
      host: 'electron',
      fileMode: 'dialog',
      dataFolder: options.dataFolder,
      env: options.env,
      choose: chooseByDialog(dialogsOver(dialog, windows), app.getPath('downloads')),
    }),
    listPages(options.renderer),
  ]);
  guardSession(session.defaultSession, log);
  session.defaultSession.protocol.handle(pageScheme.scheme, answerPages(pages));
  const isOwn = (message: Message): boolean => isOwnMessage(message, windows.contents);
  acceptPorts({ ipc: ipcMain, isOwn, router: core.router, onFault: (error) => log(error.message), log });
  acceptOffers({ ipc: ipcMain, isOwn, files: core.files, log });
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(menuTemplate({ platform: process.platform, development: !app.isPackaged })),
  );
  await windows.show();
  return core;
}

/** Runs the application in Electron until it is quit. To be called before Electron is ready, by the first instance. */
export function runDesktop(options: DesktopOptions): void {
  const { electron, log } = options;
  const { app, BrowserWindow, dialog, screen } = electron;
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
  const started = start(options, windows);
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
