import { EventEmitter } from 'node:events';
import { app } from './app.ts';
import { preventable } from './events.ts';
import { WebContents } from './web-contents.ts';

export interface WindowOptions {
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  show?: boolean;
  title?: string;
  webPreferences?: Record<string, unknown> & { preload?: string };
}

/** Options that a window may not have here: the stand-in has no such window. */
const unsafe = {
  sandbox: false,
  contextIsolation: false,
  nodeIntegration: true,
  webviewTag: true,
  webSecurity: false,
};

let lastId = 0;

/** Electron's BrowserWindow. Chromium is headless: showing, focusing, and moving are recorded, not visible. */
export class BrowserWindow extends EventEmitter {
  static readonly #all = new Set<BrowserWindow>();
  static getAllWindows = (): BrowserWindow[] => [...BrowserWindow.#all];
  static fromWebContents = (contents: WebContents): BrowserWindow | null =>
    BrowserWindow.getAllWindows().find(({ webContents }) => webContents === contents) ?? null;
  static getFocusedWindow = (): BrowserWindow | null =>
    BrowserWindow.getAllWindows().find((window) => window.isFocused()) ?? null;

  readonly id = ++lastId;
  readonly webContents: WebContents;
  readonly options: WindowOptions;
  #bounds: { x: number; y: number; width: number; height: number };
  #state = {
    visible: false,
    focused: false,
    minimized: false,
    maximized: false,
    destroyed: false,
    shown: false,
  };

  constructor(options: WindowOptions = {}) {
    super();
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready');
    for (const [name, value] of Object.entries(unsafe))
      if (options.webPreferences?.[name] === value)
        throw new Error(`The stand-in has no window with ${name}: ${value}`);
    this.options = options;
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.#bounds = { x, y, width, height };
    this.#state.visible = options.show ?? true;
    BrowserWindow.#all.add(this);
    this.webContents = new WebContents({
      preload: options.webPreferences?.preload,
      width,
      height,
      onReady: () => {
        if (!this.#state.shown) this.emit('ready-to-show');
        this.#state.shown = true;
      },
      onGone: () => this.#closed(),
    });
    this.webContents.on('render-process-gone', (_event, details: object) =>
      app.emit('render-process-gone', {}, this.webContents, details),
    );
    app.emit('web-contents-created', {}, this.webContents);
    app.emit('browser-window-created', {}, this);
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }
  show(): void {
    this.#state.visible = true;
    this.focus();
    this.emit('show');
  }
  focus(): void {
    for (const window of BrowserWindow.#all) window.#state.focused = window === this;
    this.emit('focus');
  }
  /** The last reported progress. */
  progress = -1;

  setProgressBar(share: number): void {
    this.progress = share;
  }

  minimize(): void {
    Object.assign(this.#state, { minimized: true, focused: false });
  }
  restore(): void {
    this.#state.minimized = false;
  }
  maximize(): void {
    this.#state.maximized = true;
  }
  isVisible = (): boolean => this.#state.visible;
  isFocused = (): boolean => this.#state.focused;
  isMinimized = (): boolean => this.#state.minimized;
  isMaximized = (): boolean => this.#state.maximized;
  isDestroyed = (): boolean => this.#state.destroyed;
  getBounds = (): object => ({ ...this.#bounds });
  getNormalBounds = (): object => ({ ...this.#bounds });
  setBounds(bounds: object): void {
    this.#bounds = { ...this.#bounds, ...bounds };
  }

  /** Closes unless a listener prevents it. */
  close(): void {
    if (this.#state.destroyed) return;
    const event = preventable({});
    this.emit('close', event);
    if (!event.defaultPrevented) this.webContents.close();
  }

  /** Closes without events. */
  destroy(): void {
    this.webContents.close();
  }

  #closed(): void {
    if (this.#state.destroyed) return;
    this.#state.destroyed = true;
    BrowserWindow.#all.delete(this);
    this.emit('closed');
    if (BrowserWindow.#all.size === 0) app.windowsGone();
  }
}
