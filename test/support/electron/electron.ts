/**
 * A stand-in for the `electron` module, for machines without its runtime: it runs the built main script under plain Node
 * and the built preload script in an isolated world of a page of a real Chromium. It has only what Wellbench uses; any
 * other member is missing, and fails when it is called.
 *
 * Differences from Electron:
 * - The main process is Node 24 itself, not Electron's Node: no asar, no ABI of its own, no `process.type`. Its Chromium
 *   is the machine's, headless, of another version, and on Linux without a sandbox.
 * - `app://` pages have an https address that the stand-in serves by interception (addresses.ts). `location`, `origin`,
 *   and CSP are those of that address; of a scheme's privileges only the time of registration is checked.
 * - webRequest sees the requests of Chromium's Fetch domain: no WebSockets, and of workers only their scripts.
 * - Permissions are set when a page is loaded, by calling both handlers for each permission that Chromium can set from
 *   outside; not when a page requests one. Devices, screen capture, and the spelling checker don't exist.
 * - A denied window.open returns a window that is closed immediately, where Electron returns null.
 * - contextBridge passes flat objects of values and functions; functions always return promises. Errors are passed as
 *   their message, results by structured clone, as in Electron.
 * - webUtils.getPathForFile returns a mark to preload; the path replaces it on the way to the main process.
 * - A MessagePort is passed as text (codec.ts): values of structured clone, without transfer; a port forwarded by the
 *   main process is rejected. ipcRenderer has send, postMessage, and invoke, and receives nothing.
 * - Dialogs must be scripted by the test. Menus are checked and stored, but roles and shortcuts have no effect. Windows
 *   have no frame: show, focus, minimize, and bounds are only recorded.
 * - A utility process is a plain Node process, whose output is dropped and whose end is reported by its exit alone.
 * - A crash is a real crash of the page's process, always reported as `crashed`.
 * - Downloads are always rejected; `will-download` is emitted for them.
 */
import { EventEmitter } from 'node:events';
import { app } from './app.ts';
import { BrowserWindow } from './browser-window.ts';
import { host } from './host.ts';
import { ipcMain } from './ipc-main.ts';
import { Menu, MenuItem } from './menu.ts';
import { MessagePortMain } from './message-port.ts';
import { defaultSession, schemes } from './session.ts';
import { utilityProcess } from './utility-process.ts';

app.windows = BrowserWindow.getAllWindows;

const unscripted = (name: string) => (): never => {
  throw new Error(`No answer to ${name} was scripted`);
};

/** To be replaced by tests, like Electron's own. */
const dialog = {
  showOpenDialog: unscripted('showOpenDialog'),
  showSaveDialog: unscripted('showSaveDialog'),
  showMessageBox: unscripted('showMessageBox'),
  showErrorBox: (title: string, content: string) => void process.stderr.write(`${title}: ${content}\n`),
};

const protocol = {
  registerSchemesAsPrivileged(list: { scheme: string; privileges?: object }[]) {
    if (host.ready)
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    for (const { scheme, privileges = {} } of list) schemes.set(scheme, privileges);
  },
};

const screen = {
  getAllDisplays() {
    if (!host.ready) throw new Error("The 'screen' module can't be used before the app is ready");
    const area = { x: 0, y: 0, width: 1920, height: 1080 };
    return [{ id: 1, bounds: area, workArea: area, scaleFactor: 1 }];
  },
};

const session = { defaultSession };

/** Sleeps and wakes when a test calls `emit`. */
const powerMonitor = new EventEmitter();

/** Shows nothing; records the notifications. */
class Notification {
  static readonly shown: { title: string; body: string }[] = [];
  readonly #options: { title: string; body: string };

  constructor(options: { title: string; body: string }) {
    this.#options = options;
  }

  show(): void {
    Notification.shown.push(this.#options);
  }
}

/** Opens nothing; records the requests. */
const opened: string[] = [];
const shell = { openExternal: async (url: string) => void opened.push(url), opened };

/** Keeps the last text, without a system clipboard. */
let copied = '';
const clipboard = {
  readText: async () => copied,
  async writeText(text: string) {
    copied = text;
  },
};

/** A test sets whether there is a network, by replacing this function. */
const net = { isOnline: () => true };

/** Called once, before Electron is ready; there are no crash dumps here. */
const crashReporter = {
  options: null as { uploadToServer?: boolean } | null,
  start(options: { uploadToServer?: boolean }) {
    crashReporter.options = options;
  },
};

export {
  app,
  BrowserWindow,
  clipboard,
  crashReporter,
  dialog,
  ipcMain,
  Menu,
  MenuItem,
  MessagePortMain,
  net,
  Notification,
  powerMonitor,
  protocol,
  screen,
  session,
  shell,
  utilityProcess,
};
