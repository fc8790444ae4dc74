import { expect, it } from 'vitest';
import { keyStep } from '../../../../src/renderer/features/plot/moving.ts';

it('keys of a plot are its own without Ctrl, Cmd, and Alt: with them, they are those of the window', () => {
  const press = { key: '+', shiftKey: false };
  expect(keyStep(press)).toMatchObject({ do: 'zoom' });
  for (const key of ['+', '-', '0', 'ArrowLeft'])
    for (const modifier of ['ctrlKey', 'metaKey', 'altKey'])
      expect(keyStep({ ...press, key, [modifier]: true })).toBeNull();
});
