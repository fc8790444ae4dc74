import type { Connection } from './cdp.ts';
import type { Chromium } from './chromium.ts';
import { startChromium } from './chromium.ts';
import type { WebContents } from './web-contents.ts';
import { ignore } from './events.ts';
import { defaultSession } from './session.ts';
import { fromChromium } from './addresses.ts';

/**
 * Closes a page that a page opened, once it runs: where a driver watches, the page that opened it stands still until
 * then, and for good where what it waits for is closed before.
 */
async function closeOpened(connection: Connection, targetId: string): Promise<void> {
  const browser = connection.session();
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  await connection.session(sessionId).send('Runtime.runIfWaitingForDebugger');
  await browser.send('Target.closeTarget', { targetId });
}

/** What the parts of the stand-in share: one Chromium, and the contents in it by their target. */
class Host {
  #chromium: Promise<Chromium> | null = null;
  readonly contents = new Map<string, WebContents>();
  ready = false;

  start(profile: string): Promise<Chromium> {
    this.#chromium ??= startChromium(profile).then(async (chromium) => {
      const browser = chromium.connection.session();
      browser.on('Target.targetDestroyed', ({ targetId }) => this.contents.get(targetId)?.gone());
      browser.on('Target.targetCreated', ({ targetInfo: { targetId, type, url } }) => {
        // Every page that no BrowserWindow made was opened by a page.
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
    // Asked to, it ends its own processes in order; one that does not is made to.
    ignore(chromium.connection.session().send('Browser.close'));
    const forced = setTimeout(() => chromium.process.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(forced);
  }
}

/** Where each of our pages begins, so that it can be told from one that a page opened. */
export const ownMark = 'about:blank#stand-in';
export const host = new Host();
