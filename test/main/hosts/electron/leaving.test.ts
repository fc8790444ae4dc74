import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { askBeforeLeaving } from '../../../../src/main/hosts/electron/leaving.ts';

describe('a page that would rather not go', () => {
  it.each([
    ['Stay', false],
    ['Leave', true],
  ])('goes by the answer of the person: %s', (answer, goes) => {
    const contents = new EventEmitter();
    const asked: unknown[] = [];
    askBeforeLeaving({
      contents,
      ask: ({ buttons = [], cancelId }) => {
        asked.push(buttons[cancelId ?? -1]);
        return buttons.indexOf(answer);
      },
    });
    const preventDefault = vi.fn();
    contents.emit('will-prevent-unload', { preventDefault });
    expect(asked).toEqual(['Stay']);
    expect(preventDefault).toHaveBeenCalledTimes(goes ? 1 : 0);
  });
});
