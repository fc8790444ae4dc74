import { describe, expect, it } from 'vitest';
import { en } from '../../../src/renderer/words/en.ts';
import { wordsFor } from '../../../src/renderer/words/words.ts';

describe('the catalogue of words', () => {
  it('takes the first language that there is a file for', () => {
    expect(wordsFor(['xx', 'en-GB'])).toBe(en);
    expect(wordsFor([])).toBe(en);
  });

  it('has plurals', () => {
    expect(en.results.records(1)).toBe('1 record');
    expect(en.results.records(12_345)).toBe('12,345 records');
    expect(en.wells.shown(3, 30)).toBe('3 of 30 wells');
    expect(en.wells.shown(1, 1)).toBe('1 well');
    expect([en.tabs.all(1), en.tabs.all(40)]).toEqual(['1 open tab', '40 open tabs']);
  });

  it('tells jobs that run from those that wait', () => {
    expect(en.jobs.summary(1, 0, 3)).toBe('1 running, 3 in all');
    expect(en.jobs.summary(0, 2, 3)).toBe('2 waiting, 3 in all');
    expect(en.jobs.summary(1, 2, 3)).toBe('1 running, 2 waiting, 3 in all');
    expect(en.jobs.summary(0, 0, 1)).toBe('1 job');
  });
});
