import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  app,
  BrowserWindow,
  clipboard,
  crashReporter,
  dialog,
  ipcMain,
  Menu,
  net,
  Notification,
  powerMonitor,
  protocol,
  screen,
  session,
  utilityProcess,
} from 'electron';
import { runDesktop } from './hosts/electron/desktop.ts';
import { pageScheme } from './hosts/electron/guard.ts';
import { dataFolder } from './core/files/data-folder.ts';

// The Electron host. Nothing is awaited here: Electron becomes ready only after this file has run, and these
// calls must precede that.
const besideMain = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const folder = dataFolder(undefined, process.env);

// The process that started this one may have ended, with this pipe; a failed write must not stop anything.
process.stderr.on('error', () => undefined);
const print = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

app.enableSandbox();
app.setName('Wellbench');
// The shortcut that the installer creates has this identity, by which Windows names notifications.
app.setAppUserModelId('org.wellbench.app');
protocol.registerSchemesAsPrivileged([pageScheme]);

/** Chromium's own files go below our data folder; the lock of the single instance is among them. */
function chooseProfile(): boolean {
  const profile = join(folder, 'window');
  try {
    const crashes = join(folder, 'crashes');
    for (const needed of [profile, crashes]) mkdirSync(needed, { recursive: true, mode: 0o700 });
    app.setPath('userData', profile);
    // Crash dumps contain private memory: they stay on this computer.
    app.setPath('crashDumps', crashes);
    crashReporter.start({ uploadToServer: false });
    return true;
  } catch {
    dialog.showErrorBox(
      'Wellbench could not start',
      `The folder ${folder} can't be written. Check that you may write there.`,
    );
    return false;
  }
}

if (!chooseProfile()) app.exit(1);
else if (!app.requestSingleInstanceLock({ argv: process.argv.slice(1), cwd: process.cwd() })) app.exit(0);
else
  runDesktop({
    electron: {
      app,
      BrowserWindow,
      clipboard,
      dialog,
      ipcMain,
      Menu,
      net,
      Notification,
      powerMonitor,
      screen,
      session,
      utilityProcess,
    },
    dataFolder: folder,
    env: process.env,
    renderer: besideMain('../renderer'),
    preload: besideMain('../preload/index.cjs'),
    resources: process.resourcesPath,
    print,
  });
