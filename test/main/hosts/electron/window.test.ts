import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { recoverFromCrashes, askBeforeLeaving } from '../../../../src/main/hosts/electron/windows.ts';

describe('a window whose process crashed', () => {
  function start(answer: 'reload' | 'quit' = 'reload') {
    const contents = new EventEmitter();
    let time = 0;
    const listeners = {
      reload: vi.fn<() => void>(),
      askUser: vi.fn<() => Promise<'reload' | 'quit'>>(async () => answer),
      quit: vi.fn<() => void>(),
      log: vi.fn<(sentence: string) => void>(),
    };
    recoverFromCrashes({ contents, ...listeners, now: () => time });
    return {
      ...listeners,
      crash: (reason = 'crashed') => contents.emit('render-process-gone', {}, { reason, exitCode: 5 }),
      wait: (ms: number) => (time += ms),
    };
  }

  it('is reloaded, and the reason is logged', () => {
    const { crash, reload, askUser, log } = start();
    for (const reason of ['crashed', 'oom', 'killed']) crash(reason);
    expect(reload).toHaveBeenCalledTimes(3);
    expect(askUser).not.toHaveBeenCalled();
    expect(log).toHaveBeenCalledWith('The process of the window is gone (oom, exit code 5).');
  });

  it('prompts when crashes repeat, and follows the user’s answer', async () => {
    const again = start('reload');
    for (let crash = 0; crash < 4; crash++) again.crash();
    await vi.waitFor(() => expect(again.reload).toHaveBeenCalledTimes(4));
    again.crash();
    expect(again.askUser).toHaveBeenCalledTimes(1);
    const enough = start('quit');
    for (let crash = 0; crash < 4; crash++) enough.crash();
    await vi.waitFor(() => expect(enough.quit).toHaveBeenCalledTimes(1));
    expect(enough.reload).toHaveBeenCalledTimes(3);
  });

  it('does not prompt when crashes are rare', () => {
    const { crash, wait, askUser, reload } = start();
    for (let count = 0; count < 10; count++) {
      crash();
      wait(30_000);
    }
    expect(reload).toHaveBeenCalledTimes(10);
    expect(askUser).not.toHaveBeenCalled();
  });

  it('is not reloaded after a clean exit', () => {
    const { crash, reload } = start();
    crash('clean-exit');
    expect(reload).not.toHaveBeenCalled();
  });
});

describe('a page with unsaved changes', () => {
  it.each([
    ['Stay', false],
    ['Leave', true],
  ])('follows the user’s answer: %s', (answer, goes) => {
    const contents = new EventEmitter();
    const prompts: unknown[] = [];
    const onStay = vi.fn<() => void>();
    askBeforeLeaving({
      onStay,
      contents,
      askUser: ({ buttons = [], cancelId }) => {
        prompts.push(buttons[cancelId ?? -1]);
        return buttons.indexOf(answer);
      },
    });
    const preventDefault = vi.fn();
    contents.emit('will-prevent-unload', { preventDefault });
    expect(prompts).toEqual(['Stay']);
    expect(preventDefault).toHaveBeenCalledTimes(goes ? 1 : 0);
    expect(onStay).toHaveBeenCalledTimes(goes ? 0 : 1);
  });
});
