import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapedFormula, unescapedFormula } from '../../src/shared/csv.ts';

/** Texts that are nearly formulas. */
const text = fc.oneof(fc.string(), fc.stringMatching(/^'{0,3}[=+@\t\r'"a-]{0,6}$/));

describe('the escape of formulas', () => {
  it('gives each text back, and no formula', () => {
    fc.assert(
      fc.property(text, (raw) => {
        const escaped = escapedFormula(raw);
        expect(unescapedFormula(escaped)).toBe(raw);
        expect(escaped).not.toMatch(/^[=+\-@\t\r]/);
      }),
      { numRuns: 2000 },
    );
  });

  it('adds one apostrophe to formulas, also behind apostrophes, and to no other text', () => {
    for (const raw of ['=1', '+1', '-1', '@a', '\t=', '\r=', "'=1", "''-1"])
      expect(escapedFormula(raw)).toBe(`'${raw}`);
    for (const raw of ['', "'", "''", 'a=1', "'a", "it's", ' =1', '1-2']) {
      expect(escapedFormula(raw)).toBe(raw);
      expect(unescapedFormula(raw)).toBe(raw);
    }
  });
});
