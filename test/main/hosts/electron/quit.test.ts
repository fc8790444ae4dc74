import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { manageLifecycle } from '../../../../src/main/hosts/electron/quit.ts';

/** The quit behavior of Electron's app: `quit` emits two events, and ends unless a listener prevents it. */
function fakeApp() {
  const app = Object.assign(new EventEmitter(), {
    ended: 0,
    relaunched: 0,
    relaunch: () => void app.relaunched++,
    quit() {
      let prevented = false;
      const event = { preventDefault: () => (prevented = true) };
      app.emit('before-quit', event);
      if (!prevented) app.emit('will-quit', event);
      if (!prevented) app.ended++;
    },
  });
  return app;
}

describe('quitting', () => {
  interface Given {
    platform?: NodeJS.Platform;
    tooLong?: () => Promise<void>;
    jobs?: number;
  }
  function start(given: Given = {}) {
    const { platform = 'linux', tooLong = () => new Promise<void>(() => undefined), jobs = 0 } = given;
    const onSecondInstance = vi.fn<(...told: unknown[]) => void>();
    const onQuit = vi.fn<() => void>();
    const answers: PromiseWithResolvers<boolean>[] = [];
    const confirmQuit = vi.fn<(jobs: number) => Promise<boolean>>(() => {
      const answer = Promise.withResolvers<boolean>();
      answers.push(answer);
      return answer.promise;
    });
    const app = fakeApp();
    const closing = Promise.withResolvers<void>();
    const close = vi.fn<() => Promise<void>>(() => closing.promise);
    const show = vi.fn<() => void>();
    const logged: string[] = [];
    const log = (sentence: string): void => void logged.push(sentence);
    const life = manageLifecycle({
      app,
      platform,
      show,
      onSecondInstance,
      activeJobs: () => jobs,
      confirmQuit,
      onQuit,
      close,
      tooLong,
      log,
    });
    return {
      app,
      closing,
      close,
      show,
      second: onSecondInstance,
      ask: confirmQuit,
      answers,
      leave: onQuit,
      logged,
      ...life,
    };
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

  it('ends anyway when stopping jobs fails, or takes too long, and reports it', async () => {
    const failing = start();
    failing.app.quit();
    failing.closing.reject(new Error('no space left'));
    await vi.waitFor(() => expect(failing.app.ended).toBe(1));
    expect(failing.logged[0]).toContain('no space left');
    const slow = start({ tooLong: () => Promise.resolve() });
    slow.app.quit();
    await vi.waitFor(() => expect(slow.app.ended).toBe(1));
    expect(slow.logged[0]).toContain('can be resumed');
  });

  it('follows the closing of the last window, but not on macOS', () => {
    const linux = start();
    linux.app.emit('window-all-closed');
    expect(linux.close).toHaveBeenCalled();
    const mac = start({ platform: 'darwin' });
    mac.app.emit('window-all-closed');
    expect(mac.close).not.toHaveBeenCalled();
    mac.app.emit('activate');
    expect(mac.show).toHaveBeenCalledTimes(1);
  });

  it('brings the window to the front for a second instance, and restarts for one that starts during the quit', () => {
    const { app, show, second } = start();
    app.emit('second-instance', {}, [], '/', { argv: ['a'], cwd: '/' });
    expect(second).toHaveBeenCalledExactlyOnceWith({}, [], '/', { argv: ['a'], cwd: '/' });
    app.quit();
    app.emit('second-instance');
    app.emit('activate');
    expect(second).toHaveBeenCalledTimes(1);
    expect(show).not.toHaveBeenCalled();
    expect(app.relaunched).toBe(1);
  });

  it('asks once while jobs run, and is canceled when the user stays', async () => {
    const { app, ask, answers, leave, close } = start({ jobs: 2 });
    app.quit();
    app.quit();
    expect(ask).toHaveBeenCalledExactlyOnceWith(2);
    answers[0]?.resolve(false);
    await vi.waitFor(() => {
      app.quit();
      expect(ask).toHaveBeenCalledTimes(2);
    });
    expect(leave).not.toHaveBeenCalled();
    expect(close).not.toHaveBeenCalled();
    answers[1]?.resolve(true);
    await vi.waitFor(() => expect(close).toHaveBeenCalledTimes(1));
    expect(leave).toHaveBeenCalled();
  });

  it('is confirmed again after the user kept a window that was closing', async () => {
    const { app, ask, answers, close, stay } = start({ jobs: 1 });
    app.quit();
    answers[0]?.resolve(true);
    await vi.waitFor(() => expect(close).toHaveBeenCalledTimes(1));
    stay();
    // Too late: the windows are closed.
    app.quit();
    expect(ask).toHaveBeenCalledTimes(1);
    const kept = start({ jobs: 1 });
    kept.shutDown();
    kept.stay();
    kept.app.quit();
    expect(kept.ask).toHaveBeenCalledTimes(1);
  });

  it('continues without a prompt when no window is open, or when the system shuts down', async () => {
    const failing = start({ jobs: 1 });
    failing.app.quit();
    failing.answers[0]?.reject(new Error('no dialogs here'));
    await vi.waitFor(() => expect(failing.close).toHaveBeenCalled());
    expect(failing.logged[0]).toContain('no dialogs here');
    const down = start({ jobs: 1 });
    down.shutDown();
    down.app.quit();
    expect(down.ask).not.toHaveBeenCalled();
    expect(down.close).toHaveBeenCalled();
  });

  it('keeps the last window open until the user answers, where closing it would quit', () => {
    const closeLast = (given: Given) => {
      const started = start(given);
      const preventDefault = vi.fn<() => void>();
      started.closeLast({ preventDefault });
      return { ...started, stays: preventDefault.mock.calls.length > 0 };
    };
    const busy = closeLast({ jobs: 1 });
    expect(busy.stays).toBe(true);
    expect(busy.ask).toHaveBeenCalledTimes(1);
    expect(closeLast({ jobs: 0 }).stays).toBe(false);
    expect(closeLast({ jobs: 1, platform: 'darwin' }).stays).toBe(false);
  });
});
