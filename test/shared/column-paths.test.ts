import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { childPath, columnTexts, pathId, pathNames } from '../../src/shared/column-paths.ts';

const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', '\\', '0', '\n'), maxLength: 4 });
const names = fc.array(name, { minLength: 1, maxLength: 4 });

describe('the path of a column', () => {
  it('is different for different names, and has them again', () => {
    fc.assert(
      fc.property(names, (path) => {
        expect(pathNames(pathId(path))).toEqual(path);
        expect(path.reduce(childPath, '')).toBe(pathId(path));
      }),
    );
  });

  it('is named by dots, each column by a name of its own', () => {
    expect(columnTexts(['a.b', String.raw`c\.d`])).toEqual(['a.b', 'c.d']);
    expect(columnTexts(['a.b', String.raw`a\.b`, 'c'])).toEqual(['a.b', String.raw`a\.b`, 'c']);
    fc.assert(
      fc.property(fc.uniqueArray(names, { selector: pathId, maxLength: 8 }), (paths) => {
        const texts = columnTexts(paths.map(pathId));
        expect(new Set(texts).size).toBe(paths.length);
      }),
    );
  });
});
