import { describe, expect, it } from 'vitest';
import { placeAt } from '../../../../src/renderer/app/tab-strip/drag.ts';
import { carryOut, tabCommand } from '../../../../src/renderer/app/tab-strip/shortcuts.ts';

const edges = [
  [0, 100],
  [100, 150],
  [150, 300],
] as const;

describe('a dragged tab', () => {
  it.each([
    [10, 0, 0],
    [120, 0, 0],
    [126, 0, 1],
    [290, 0, 2],
    [60, 2, 1],
    [40, 2, 0],
    [-50, 1, 0],
    [9000, 1, 2],
  ])('at %i, begun at place %i, comes to lie at place %i', (x, dragged, place) => {
    expect(placeAt(x, dragged, edges)).toBe(place);
  });
});

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

describe('shortcuts of tabs', () => {
  it.each([
    [{ code: 'KeyT', ctrlKey: true }, 'new'],
    [{ code: 'KeyT', altKey: true }, 'new'],
    [{ code: 'KeyT', metaKey: true, shiftKey: true }, 'reopen'],
    [{ code: 'KeyW', ctrlKey: true }, 'close'],
    [{ code: 'KeyW', altKey: true }, 'close'],
    [{ code: 'Tab', ctrlKey: true }, 'next'],
    [{ code: 'Tab', ctrlKey: true, shiftKey: true }, 'previous'],
    [{ code: 'PageDown', altKey: true }, 'next'],
    [{ code: 'PageUp', altKey: true, shiftKey: true }, 'left'],
    [{ code: 'PageDown', ctrlKey: true, shiftKey: true }, 'right'],
    [{ code: 'Tab' }, null],
    [{ code: 'KeyT' }, null],
    [{ code: 'PageDown' }, null],
    // AltGr is both, and writes letters.
    [{ code: 'KeyT', ctrlKey: true, altKey: true }, null],
    [{ code: 'KeyW', ctrlKey: true, shiftKey: true }, null],
  ])('%o is %s', (keys, command) => {
    expect(tabCommand({ ...none, ...keys })).toBe(command);
  });

  it('act on the tab in view', () => {
    const done: string[] = [];
    const actions = {
      close: (id: string) => done.push(`close ${id}`),
      showNext: (by: number) => done.push(`next ${by}`),
      reopen: () => done.push('reopen'),
      move: (id: string, to: number) => done.push(`move ${id} ${to}`),
    };
    for (const command of ['new', 'close', 'next', 'previous', 'reopen', 'left', 'right'] as const)
      carryOut(command, { ids: ['a', 'b', 'c'], active: 'b' }, actions, () => done.push('new'));
    expect(done).toEqual(['new', 'close b', 'next 1', 'next -1', 'reopen', 'move b 0', 'move b 2']);
  });
});
