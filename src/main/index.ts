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
import { dataFolder } from './workspace/data-folder.ts';

// The Electron host. Nothing is waited for here: Electron is not ready before this file has run to its end, and what
// stands here has to be done before that.
const beside = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const folder = dataFolder(undefined, process.env);

// Whoever started us may have gone, and with them the end of this pipe; nothing is to stop for a line of the log.
process.stderr.on('error', () => undefined);
const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

app.enableSandbox();
app.setName('Wellbench');
protocol.registerSchemesAsPrivileged([pageScheme]);

/** Chromium's own files go below our data folder; the lock of the single instance is among them. */
function chooseProfile(): boolean {
  const profile = join(folder, 'window');
  try {
    const crashes = join(folder, 'crashes');
    for (const needed of [profile, crashes]) mkdirSync(needed, { recursive: true, mode: 0o700 });
    app.setPath('userData', profile);
    // What is in memory when something crashes is nobody else's: dumps stay here, for the person to hand on or not.
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
    renderer: beside('../renderer'),
    preload: beside('../preload/index.cjs'),
    resources: process.resourcesPath,
    say,
  });
