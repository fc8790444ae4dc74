import { describe, expect, it } from 'vitest';
import { suggestedName } from '../../../src/renderer/format/file-name.ts';

describe('suggestedName', () => {
  it('is made of the dataset and the day, without characters that a file system rejects', () => {
    const day = new Date('2026-11-21T06:00:00Z');
    expect(suggestedName('drilling.wits', day)).toBe('drilling.wits 2026-11-21.csv');
    expect(suggestedName('a/b:c*\u0007', day)).toBe('a-b-c- 2026-11-21.csv');
    expect(suggestedName('wits', day, '12,469 loaded rows with 5 gaps')).toBe(
      'wits 2026-11-21, 12,469 loaded rows with 5 gaps.csv',
    );
  });
});
