import type { Connection } from './cdp.ts';
import { type Chromium, startChromium } from './chromium.ts';
import type { WebContents } from './web-contents.ts';
import { ignore } from './events.ts';
import { defaultSession } from './session.ts';
import { fromChromium } from './addresses.ts';

/**
 * Closes a page that a page opened, once it runs: under a debugger, the opener is suspended until then, and
 * forever if the opened page is closed before.
 */
async function closeOpened(connection: Connection, targetId: string): Promise<void> {
  const browser = connection.session();
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  await connection.session(sessionId).send('Runtime.runIfWaitingForDebugger');
  await browser.send('Target.closeTarget', { targetId });
}

/** Shared by the parts of the stand-in: one Chromium, and its contents by target. */
class Host {
  #chromium: Promise<Chromium> | null = null;
  readonly contents = new Map<string, WebContents>();
  ready = false;

  start(profile: string): Promise<Chromium> {
    this.#chromium ??= startChromium(profile).then(async (chromium) => {
      const browser = chromium.connection.session();
      browser.on('Target.targetDestroyed', ({ targetId }) => this.contents.get(targetId)?.onDestroyed());
      browser.on('Target.targetCreated', ({ targetInfo: { targetId, type, url } }) => {
        // A page without a BrowserWindow was opened by another page.
        if (type === 'page' && !url.startsWith(ownMark)) ignore(closeOpened(chromium.connection, targetId));
      });
      browser.on('Browser.downloadWillBegin', ({ url }) => void defaultSession.download(fromChromium(url)));
      await browser.send('Target.setDiscoverTargets', { discover: true });
      await browser.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true });
      return chromium;
    });
    return this.#chromium;
  }

  get chromium(): Promise<Chromium> {
    if (!this.#chromium) throw new Error('Cannot create BrowserWindow before app is ready');
    return this.#chromium;
  }

  async stop(): Promise<void> {
    const chromium = await this.#chromium?.catch(() => null);
    if (!chromium) return;
    if (chromium.process.exitCode !== null) return;
    const ended = new Promise((resolve) => chromium.process.once('exit', resolve));
    // Chromium ends its own processes in order on request; otherwise it is killed.
    ignore(chromium.connection.session().send('Browser.close'));
    const forced = setTimeout(() => chromium.process.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(forced);
  }
}

/** The start address of each of our pages, which distinguishes it from one that a page opened. */
export const ownMark = 'about:blank#stand-in';
export const host = new Host();
