import { describe, expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';

describe('the words of the window', () => {
  it('have plurals', () => {
    expect(words.results.records(1)).toBe('1 record');
    expect(words.results.records(12_345)).toBe('12,345 records');
    expect(words.wells.shown(3, 30)).toBe('3 of 30 wells');
    expect(words.wells.shown(1, 1)).toBe('1 well');
    expect([words.tabs.all(1), words.tabs.all(40)]).toEqual(['1 open tab', '40 open tabs']);
  });

  it('distinguish running jobs from waiting ones', () => {
    expect(words.jobs.summary(1, 0, 3)).toBe('1 running, 3 total');
    expect(words.jobs.summary(0, 2, 3)).toBe('2 waiting, 3 total');
    expect(words.jobs.summary(1, 2, 3)).toBe('1 running, 2 waiting, 3 total');
    expect(words.jobs.summary(0, 0, 1)).toBe('1 job');
    expect(words.jobs.summary(1, 0, null)).toBe('1 running');
  });
});
