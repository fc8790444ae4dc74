import { describe, expect, it } from 'vitest';
import { cutEvenly, evenStep } from '../../../../src/main/export/paging/evenly.ts';

const seconds = (...at: number[]): string[] => at.map((second) => String(1.7e12 + second * 1000));

describe('records that follow one another evenly', () => {
  it('have one distance, ascending and descending, whole or not', () => {
    const [from = ''] = seconds(0);
    expect(evenStep(from, seconds(50, 100, 150), 50)).toBe(1000);
    expect(evenStep(from, seconds(-50, -100, -150), 50)).toBe(-1000);
    expect(evenStep('10.25', ['35.25', '60.25'], 100)).toBe(0.25);
  });

  it('are told from those with a gap, with several of one value, and without a number', () => {
    const [from = ''] = seconds(0);
    expect(evenStep(from, seconds(50, 100, 160), 50)).toBeNull();
    expect(evenStep(from, seconds(53, 103, 153), 50)).toBeNull();
    expect(evenStep('7', ['7', '7', '7'], 50)).toBeNull();
    expect(evenStep(null, seconds(50, 100, 150), 50)).toBeNull();
    expect(evenStep(from, [...seconds(50, 100), undefined], 50)).toBeNull();
    expect(evenStep('"a"', ['"b"', '"c"', '"d"'], 50)).toBeNull();
    expect(evenStep(from, seconds(50), 50)).toBeNull();
  });
});

describe('a stretch of evenly spaced records', () => {
  const cut = { parts: 4, stride: 10, step: 1000 };

  it('is cut into parts of so many records, and ends where it ends', () => {
    const [from = '', ...cuts] = seconds(0, 10, 20, 30, 40);
    expect(cutEvenly(from, cuts.at(-1), cut)).toEqual(cuts);
    expect(cutEvenly('1', '11', { parts: 4, stride: 10, step: 0.25 })).toEqual(['4', '6', '9', '11']);
    expect(cutEvenly('1.5', '11.5', { parts: 4, stride: 10, step: 0.25 })).toEqual(['4', '6.5', '9', '11.5']);
  });

  it('is not cut where it is longer or shorter, or has no end', () => {
    const [from = '', longer, shorter] = seconds(0, 42, 38);
    expect(cutEvenly(from, longer, cut)).toBeNull();
    expect(cutEvenly(from, shorter, cut)).toBeNull();
    expect(cutEvenly(from, undefined, cut)).toBeNull();
    expect(cutEvenly(null, longer, cut)).toBeNull();
  });
});
