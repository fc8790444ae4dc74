import { describe, expect, it } from 'vitest';
import { commaList } from '../../../src/renderer/format/comma-list.ts';

describe('a list as typed', () => {
  it('has the texts between commas, each once', () => {
    expect(commaList(' -999.25 ,, NULL,-999.25 ')).toEqual(['-999.25', 'NULL']);
  });
});
