import { describe, expect, it } from 'vitest';
import { isMet, performancePage, type Measured } from '../../scripts/lib/performance-page.mjs';

const figure: Measured = { name: 'a plot', ours: 12, floor: 10, ratio: 1.2, unit: 'ms', goal: '≤ 1.2 ×' };
const run = {
  figures: [figure],
  toCome: [],
  full: true,
  version: '1.2.3',
  date: '2026-01-02',
  machine: '2 × processor',
};

describe('a performance goal', () => {
  it.each([
    ['a small enough ratio', {}, true],
    ['a ratio that is too large', { ratio: 1.21 }, false],
    ['a large enough ratio', { goal: '≥ 0.95 ×' }, true],
    ['a value without a floor', { floor: null, ratio: null, goal: '≤ 11' }, false],
    ['a value, even if there is a ratio', { goal: '≤ 50 ms', ratio: 3 }, true],
    ['two goals, both met', { ours: 50, goal: '≤ 50 ms, ≤ 1.2 ×' }, true],
    ['two goals, the second one missed', { goal: '≤ 50 ms, ≤ 1.1 ×' }, false],
    ['two goals, the first one missed', { ours: 51, goal: '≤ 50 ms, ≤ 1.2 ×' }, false],
    ['a missing ratio', { ratio: null }, null],
    ['a goal in words', { goal: 'flat' }, null],
  ] as const)('is evaluated for %s', (_what, given, met) => {
    expect(isMet({ ...figure, ...given })).toBe(met);
  });
});

describe('the performance page', () => {
  it('counts missed goals', () => {
    expect(performancePage({ ...run, old: '' })).toContain('All goals were met in this run.');
    const missed = performancePage({ ...run, figures: [{ ...figure, ratio: 2 }], old: '' });
    expect(missed).toContain('Missed in this run: 1 of 1 goals');
  });

  it('has a row for each measured size, with its memory', () => {
    const grown = [
      { name: 'export', size: 10_000, ours: 5000, unit: 'rows/s', residentMb: 180 },
      { name: 'grid', size: 10_000, ours: 120, unit: 'ms' },
      { name: 'export', size: 100_000, ours: 30_000, unit: 'rows/s', residentMb: 181 },
    ];
    const page = performancePage({ ...run, figures: [figure, ...grown], old: '' });
    expect(page).toContain('| Rows | Export | Grid |');
    expect(page).toContain('| 10,000 | 5,000 rows/s, 180 MB | 120 ms |');
    expect(page).toContain('| 100,000 | 30,000 rows/s, 181 MB | – |');
  });

  it('lists failed and pending measurements', () => {
    const figures = [figure, { name: 'export', failed: 'the service has gone' }];
    const page = performancePage({ ...run, figures, toCome: ['upload'], old: '' });
    expect(page).toContain('- export: not measured because of an error: the service has gone');
    expect(page).toContain('- upload: not measured yet');
  });

  it('keeps the handwritten section on limits', () => {
    const old = '# Performance\n\nold figures\n\n## Limits\n\nThe link is the limit.\n';
    const page = performancePage({ ...run, old });
    expect(page).toMatch(/## Limits\n\nThe link is the limit\.\n$/);
    expect(page).not.toContain('old figures');
    expect(performancePage({ ...run, old: page })).toBe(page);
  });
});
