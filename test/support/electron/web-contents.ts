import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { fromChromium, toChromium } from './addresses.ts';
import type { Session } from './cdp.ts';
import { ignore, preventable } from './events.ts';
import { host, ownMark } from './host.ts';
import { PreloadLink } from './preload-link.ts';
import { handleRequests } from './requests.ts';
import { defaultSession } from './session.ts';

/** Permissions that are set for a page before it loads, with Chromium's names. */
const permissions = {
  geolocation: ['geolocation'],
  notifications: ['notifications'],
  media: ['camera', 'microphone'],
  midi: ['midi'],
  'clipboard-read': ['clipboard-read'],
  'clipboard-sanitized-write': ['clipboard-write'],
} as const;

export interface ContentsOptions {
  readonly preload: string | undefined;
  readonly width: number;
  readonly height: number;
  /** The page can be shown. */
  readonly onReady: () => void;
  /** The page is closed. */
  readonly onGone: () => void;
}

interface Opened {
  readonly target: Session;
  readonly targetId: string;
  readonly link: PreloadLink;
}

let lastId = 0;

/** Electron's WebContents on a page of a real Chromium. */
export class WebContents extends EventEmitter {
  readonly id = ++lastId;
  readonly session = defaultSession;
  readonly #options: ContentsOptions;
  readonly #opened: Promise<Opened>;
  /** Documents that the main process requested; all others are a page's own navigation. */
  readonly #wanted = new Set<string>();
  #url = '';
  #crashed = false;
  #destroyed = false;
  #openHandler: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });

  constructor(options: ContentsOptions) {
    super();
    this.#options = options;
    this.#opened = this.#open();
  }

  get mainFrame(): { url: string; parent: null } {
    return { url: this.#url, parent: null };
  }
  getURL = (): string => this.#url;
  isDestroyed = (): boolean => this.#destroyed;
  isCrashed = (): boolean => this.#crashed;
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.#openHandler = handler;
  }

  async loadURL(url: string): Promise<void> {
    const { target } = await this.#opened;
    await this.#settlePermissions(url);
    this.#wanted.add(url);
    const { errorText } = await target.send('Page.navigate', { url: toChromium(url) });
    if (errorText) throw new Error(`${errorText} loading '${url}'`);
  }

  reload(): void {
    this.#wanted.add(this.#url);
    ignore(this.#opened.then(({ target }) => target.send('Page.reload')));
  }

  /** Ends the page's process, as a crash does. */
  forcefullyCrashRenderer(): void {
    ignore(this.#opened.then(({ target }) => target.send('Page.crash')));
  }

  async executeJavaScript(expression: string): Promise<unknown> {
    const { target } = await this.#opened;
    const { result } = await target.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    return result.value;
  }

  /** The stand-in's own: closes the page; {@link onDestroyed} follows. */
  close(): void {
    ignore(
      this.#opened.then(async ({ targetId }) =>
        (await host.chromium).connection.session().send('Target.closeTarget', { targetId }),
      ),
    );
  }

  /** The stand-in's own: the page was closed. */
  onDestroyed(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    void this.#opened.then(({ link }) => link.forget());
    this.emit('destroyed');
    this.#options.onGone();
  }

  async #open(): Promise<Opened> {
    const { connection } = await host.chromium;
    const browser = connection.session();
    const { width, height, preload } = this.#options;
    const { targetId } = await browser.send('Target.createTarget', {
      url: ownMark,
      width,
      height,
      newWindow: true,
    });
    host.contents.set(targetId, this);
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    const target = connection.session(sessionId);
    const secret = `standin-${randomBytes(12).toString('hex')}`;
    const link = new PreloadLink(target, secret, () => ({ sender: this, senderFrame: this.mainFrame }));
    await target.send('Page.enable');
    await target.send('Runtime.enable');
    await target.send('Inspector.enable');
    await target.send('DOM.enable');
    // The frame of a page keeps the id of its target.
    if (preload) await link.install(preload, targetId);
    this.#listen(target, targetId, link);
    await handleRequests({
      target,
      session: this.session,
      navigates: (url, frame) => this.#mayNavigate(url, frame === targetId),
    });
    return { target, targetId, link };
  }

  #listen(target: Session, mainFrame: string, link: PreloadLink): void {
    target.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== mainFrame) return;
      this.#url = fromChromium(frame.url);
      this.#crashed = false;
      this.emit('did-navigate', {}, this.#url);
    });
    target.on('Page.loadEventFired', () => {
      this.emit('did-finish-load');
      this.#options.onReady();
    });
    target.on('Page.windowOpen', ({ url }) => void this.#openHandler({ url: fromChromium(url) }));
    target.on('Inspector.targetCrashed', () => {
      this.#crashed = true;
      link.forget();
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
    });
  }

  #mayNavigate(url: string, isMainFrame: boolean): boolean {
    if (isMainFrame && this.#wanted.delete(url)) return true;
    const event = preventable({ url, isMainFrame, isSameDocument: false });
    this.emit('will-frame-navigate', event);
    if (isMainFrame) this.emit('will-navigate', event, url);
    return !event.defaultPrevented;
  }

  async #settlePermissions(url: string): Promise<void> {
    const browser = (await host.chromium).connection.session();
    const { origin } = new URL(toChromium(url));
    for (const [permission, names] of Object.entries(permissions)) {
      const setting = (await this.session.permits(this, permission, url)) ? 'granted' : 'denied';
      for (const name of names)
        await browser.send('Browser.setPermission', { permission: { name }, setting, origin });
    }
  }
}
