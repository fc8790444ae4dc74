import { expect, it } from 'vitest';
import { movedPath } from '../../../src/shared/saved/saved-folders.ts';

it('folders move with all that lies in them, and nothing beside them', () => {
  expect(['a', 'a/b', 'ab', 'c'].map((path) => movedPath(path, 'a', 'z/y'))).toEqual([
    'z/y',
    'z/y/b',
    'ab',
    'c',
  ]);
});
