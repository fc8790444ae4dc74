/**
 * A stand-in for the `electron` module, where its runtime can't be had: it runs the built main script under plain Node
 * and the built preload script in an isolated world of a page of a real Chromium. Only what Wellbench uses is there;
 * anything else is missing, and fails when it is called.
 *
 * Where it is kinder than Electron, or other:
 * - Main is Node 24 itself, not Electron's Node: no asar, no ABI of its own, no `process.type`. Its Chromium is the one
 *   of the machine, headless, of another version, and on Linux without a sandbox.
 * - `app://` pages live at an https address that the stand-in answers by interception (addresses.ts). `location`,
 *   `origin` and CSP are those of that address; privileges of a scheme are not checked beyond being told in time.
 * - webRequest sees what Chromium's Fetch domain sees: no WebSockets, and of workers only their scripts.
 * - Permissions are settled when a page is loaded, by asking both handlers for each permission that Chromium lets be
 *   set from outside; not when a page asks. Devices, screen capture and the spelling checker are not there at all.
 * - A denied window.open gives the page a window that is closed at once, where Electron gives null.
 * - contextBridge carries flat objects of values and functions; functions always give promises. Errors cross as their
 *   message, results by structured clone, as in Electron.
 * - webUtils.getPathForFile gives preload a mark; the path is put in its place on the way to main.
 * - A MessagePort crosses as text (codec.ts): what structured clone carries, without transfer; a port handed on by main
 *   is refused. ipcRenderer has send, postMessage and invoke, and hears nothing.
 * - Dialogs must be scripted by the test. Menus are checked and kept, but no role does anything and no shortcut is
 *   heard. Windows have no frame: show, focus, minimise and bounds are remembered only.
 * - A utility process is a plain Node process, whose output is dropped and which is told as ended by its exit alone.
 * - A crash is a real crash of the page's process, always told as `crashed`.
 * - Downloads are always refused; `will-download` is told of them.
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

/** To be overwritten by tests, as they do with Electron's own. */
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

/** Sleeps and wakes when a test says so, by `emit`. */
const powerMonitor = new EventEmitter();

/** Shows nothing; remembers what was to be shown. */
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

/** Opens nothing; remembers what was asked for. */
const opened: string[] = [];
const shell = { openExternal: async (url: string) => void opened.push(url), opened };

/** Keeps the last text, and shows it to nobody. */
let copied = '';
const clipboard = {
  readText: async () => copied,
  async writeText(text: string) {
    copied = text;
  },
};

/** A test says whether there is a network, by putting another function in its place. */
const net = { isOnline: () => true };

/** Told once, before Electron is ready; there is nothing here whose dumps it could take. */
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
