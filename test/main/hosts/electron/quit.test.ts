import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { liveAndQuit } from '../../../../src/main/hosts/electron/quit.ts';

/** Electron's app as far as quitting goes: `quit` asks by `will-quit`, and ends when nobody prevents it. */
function fakeApp() {
  const app = Object.assign(new EventEmitter(), {
    ended: 0,
    relaunched: 0,
    relaunch: () => void app.relaunched++,
    quit() {
      let prevented = false;
      app.emit('will-quit', { preventDefault: () => (prevented = true) });
      if (!prevented) app.ended++;
    },
  });
  return app;
}

describe('quitting', () => {
  function start(given: { platform?: NodeJS.Platform; tooLong?: () => Promise<void> } = {}) {
    const { platform = 'linux', tooLong = () => new Promise<void>(() => undefined) } = given;
    const app = fakeApp();
    const closing = Promise.withResolvers<void>();
    const close = vi.fn<() => Promise<void>>(() => closing.promise);
    const show = vi.fn<() => void>();
    const logged: string[] = [];
    liveAndQuit({ app, platform, show, close, tooLong, log: (sentence) => logged.push(sentence) });
    return { app, closing, close, show, logged };
  }

  it('waits until jobs are stopped so that they can be resumed', async () => {
    const { app, closing, close } = start();
    app.quit();
    app.quit();
    expect(close).toHaveBeenCalledTimes(1);
    expect(app.ended).toBe(0);
    closing.resolve();
    await vi.waitFor(() => expect(app.ended).toBe(1));
  });

  it('ends anyway when that fails, or takes too long, and says so', async () => {
    const failing = start();
    failing.app.quit();
    failing.closing.reject(new Error('the disk is full'));
    await vi.waitFor(() => expect(failing.app.ended).toBe(1));
    expect(failing.logged[0]).toContain('the disk is full');
    const slow = start({ tooLong: () => Promise.resolve() });
    slow.app.quit();
    await vi.waitFor(() => expect(slow.app.ended).toBe(1));
    expect(slow.logged[0]).toContain('can be resumed');
  });

  it('follows the last window, but not on macOS', () => {
    const linux = start();
    linux.app.emit('window-all-closed');
    expect(linux.close).toHaveBeenCalled();
    const mac = start({ platform: 'darwin' });
    mac.app.emit('window-all-closed');
    expect(mac.close).not.toHaveBeenCalled();
    mac.app.emit('activate');
    expect(mac.show).toHaveBeenCalledTimes(1);
  });

  it('brings the window to the front for a second instance, and starts anew for one that comes too late', () => {
    const { app, show } = start();
    app.emit('second-instance');
    expect(show).toHaveBeenCalledTimes(1);
    app.quit();
    app.emit('second-instance');
    app.emit('activate');
    expect(show).toHaveBeenCalledTimes(1);
    expect(app.relaunched).toBe(1);
  });
});
