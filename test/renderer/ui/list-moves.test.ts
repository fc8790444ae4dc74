import { describe, expect, it } from 'vitest';
import { createTypeAhead, targetRow, findRowByName } from '../../../src/renderer/ui/pick-list.tsx';

describe('keys in a list', () => {
  it.each([
    ['ArrowDown', 3, 4],
    ['ArrowDown', 9, 9],
    ['ArrowUp', 0, 0],
    ['Home', 5, 0],
    ['End', 5, 9],
    ['PageDown', 3, 7],
    ['PageDown', 8, 9],
    ['PageUp', 3, 0],
    ['Enter', 3, null],
  ])('%s moves from row %i of ten to %s', (key, from, to) => {
    expect(targetRow(key, from, 10, 5)).toBe(to);
  });
  it('move even when no row is completely visible', () => {
    expect(targetRow('PageDown', 3, 10, 0)).toBe(4);
  });
});

describe('typing ahead', () => {
  const rows = ['Basin 7', 'Mesa 1', 'Mesa 2', 'Ridge A'];
  function typing() {
    let now = 0;
    const ahead = createTypeAhead(() => now);
    return {
      ahead,
      wait: (ms: number) => void (now += ms),
      type(letter: string, row: number) {
        const { text, from } = ahead.type(letter, row);
        return findRowByName(text, from, rows, (name) => name);
      },
    };
  }

  it('continues to the next row with a first letter, wraps around, and stays with a longer word', () => {
    const { type } = typing();
    expect(type('m', 0)).toBe(1);
    expect(type('e', 1)).toBe(1);
    const { type: again } = typing();
    expect(again('m', 2)).toBe(1);
  });

  it('starts a new word after a pause, until which a space belongs to the old one', () => {
    const { ahead, type, wait } = typing();
    type('M', 0);
    for (const letter of 'esa ') type(letter, 1);
    expect(ahead.isTyping()).toBe(true);
    expect(type('2', 1)).toBe(2);
    wait(700);
    expect(ahead.isTyping()).toBe(false);
    expect(type('r', 2)).toBe(3);
  });

  it('finds nothing without a match', () => {
    expect(typing().type('x', 0)).toBeNull();
  });
});
