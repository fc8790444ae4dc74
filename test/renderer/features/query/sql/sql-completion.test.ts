import { describe, expect, it } from 'vitest';
import { completeSql } from '../../../../../src/renderer/features/query/sql/sql-form.tsx';

const isOffered = (before: string): boolean => completeSql(before, before.length, []).length > 0;

describe('completion of SQL', () => {
  it.each([
    'SELECT ',
    "SELECT 'it''s' ",
    "-- don't complete here\nSELECT ",
    "/* it's */ SELECT ",
    'SELECT "a\'b" ',
  ])('is offered after %j', (before) => {
    expect(isOffered(before)).toBe(true);
  });

  it.each(["SELECT 'a", "SELECT 'it''", '-- SELECT ', '/* SELECT ', "SELECT 'a -- b "])(
    'is not offered in the text or comment %j',
    (before) => {
      expect(isOffered(before)).toBe(false);
    },
  );
});
