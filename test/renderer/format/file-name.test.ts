import { describe, expect, it } from 'vitest';
import { suggestedName, titleName } from '../../../src/renderer/format/file-name.ts';

describe('suggestedName', () => {
  it('is made of the dataset and the day, without characters that a file system rejects', () => {
    const day = new Date('2026-11-21T06:00:00Z');
    expect(suggestedName('drilling.wits', day)).toBe('drilling.wits 2026-11-21.csv');
    expect(suggestedName('a/b:c*\u0007', day)).toBe('a-b-c- 2026-11-21.csv');
    expect(suggestedName('wits', day, '12,469 loaded rows with 5 gaps')).toBe(
      'wits 2026-11-21, 12,469 loaded rows with 5 gaps.csv',
    );
  });

  it('has the well, or how many there are, and the range', () => {
    const day = new Date('2026-11-21T06:00:00Z');
    const nameOf = (wells: readonly string[], range: string | null) =>
      suggestedName('wits', day, undefined, { wells, range });
    expect(nameOf(['Ridge A/1'], null)).toBe('Ridge A-1 wits 2026-11-21.csv');
    expect(nameOf(['Ridge 1', 'Ridge 2', 'Ridge 3'], '5331 to 12400 ft')).toBe(
      '3 wells wits 5331 to 12400 ft.csv',
    );
    const longest = { wells: ['w'.repeat(200)], range: '12345.678 to 23456.789 ft' };
    expect(suggestedName('n'.repeat(200), day, undefined, longest).length).toBeLessThanOrEqual(200);
  });
});

describe('every file name', () => {
  it('has room for its ending within the 200 characters that a dialog takes', () => {
    const [title, day] = ['n'.repeat(200), new Date('2026-11-21T06:00:00Z')];
    const part = '1,000,000 loaded rows of 1,000,000 with 10,000 gaps';
    for (const name of [suggestedName(title, day, part), `${titleName(title)}-plot, ${part}.csv`])
      expect(name.length).toBeLessThanOrEqual(200);
    expect(titleName('demo / wits: 5001')).toBe('demo-wits-5001');
  });
});
