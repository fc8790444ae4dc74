import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { createWindows } from '../../../../src/main/hosts/electron/windows.ts';

describe('the windows of the application', () => {
  let next = 1;
  const fake = () => {
    const window = Object.assign(new EventEmitter(), {
      webContents: { id: next++ },
      minimized: false,
      isMinimized: () => window.minimized,
      restore: vi.fn<() => void>(),
      show: vi.fn<() => void>(),
      focus: vi.fn<() => void>(),
    });
    return window;
  };

  function start() {
    const made: ReturnType<typeof fake>[] = [];
    const kept = vi.fn<() => Promise<void>>(async () => undefined);
    const windows = createWindows(async () => {
      const window = fake();
      made.push(window);
      return { window: window as unknown as BrowserWindow, kept }; // only what is used of it
    });
    return { windows, made, kept };
  }

  it('are one, however many ask for it at once', async () => {
    const { windows, made } = start();
    await Promise.all([windows.show(), windows.show(), windows.show()]);
    expect(made).toHaveLength(1);
    expect(windows.current()?.webContents.id).toBe(made[0]?.webContents.id);
    expect([...windows.contents]).toEqual([made[0]?.webContents.id]);
  });

  it('come to the front when they are there, out of the taskbar too', async () => {
    const { windows, made } = start();
    await windows.show();
    if (made[0]) made[0].minimized = true;
    await windows.show();
    expect(made[0]?.restore).toHaveBeenCalled();
    expect(made[0]?.focus).toHaveBeenCalled();
  });

  it('are listened to no longer once they are closed, and open anew', async () => {
    const { windows, made, kept } = start();
    await windows.show();
    made[0]?.emit('closed');
    expect(windows.current()).toBeNull();
    expect(windows.contents.size).toBe(0);
    await windows.show();
    expect(made).toHaveLength(2);
    await windows.kept();
    expect(kept).toHaveBeenCalledTimes(1);
  });
});
