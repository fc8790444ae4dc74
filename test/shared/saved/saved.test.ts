import { describe, expect, it } from 'vitest';
import { folderPath, sharedQuery } from '../../../src/shared/saved/saved.ts';

describe('folders', () => {
  it.each(['', 'a', 'a/b c/d'])('%j is one', (path) => {
    expect(folderPath.safeParse(path).success).toBe(true);
  });
  it.each(['/', 'a/', '/a', 'a//b', ' a', 'a/ b', 'x'.repeat(101), 'a/b/c/d/e/f/g/h/i'])(
    '%j is none',
    (path) => {
      expect(folderPath.safeParse(path).success).toBe(false);
    },
  );
  it('names of queries are given', () => {
    expect(sharedQuery.shape.name.safeParse('  ').success).toBe(false);
  });
});
