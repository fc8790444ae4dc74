import { describe, expect, it } from 'vitest';
import { labelledLogMarks, logMarks } from '../../../../src/renderer/ui/plot/options.ts';

describe('the marks of a logarithmic axis', () => {
  it.each([
    [5.52, 60, [6, 7, 8, 9, 10, 20, 30, 40, 50, 60]],
    [0.2, 3, [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 2, 3]],
  ])('are 1 to 9 in each decade, from %d to %d', (from, to, marks) => {
    expect(logMarks(from, to)).toEqual(marks);
  });

  it.each([
    [1.37396, 3.02, [1.5, 2, 2.5, 3]],
    [48.6854, 106, [50, 60, 70, 80, 90, 100]],
    [0.0201, 0.0204, [0.0201, 0.02015, 0.0202, 0.02025, 0.0203, 0.02035, 0.0204]],
  ])('are round in less than a decade, from %d to %d', (from, to, marks) => {
    expect(logMarks(from, to)).toEqual(marks);
  });

  it('have a text where there is space for it', () => {
    const texts = (from: number, to: number, length: number) =>
      labelledLogMarks(logMarks(from, to), { from, to, length, space: 20 }).filter((mark) => mark !== null);
    expect(texts(1, 10, 500)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(texts(1, 100, 300)).toEqual([1, 2, 3, 5, 7, 10, 20, 30, 50, 70, 100]);
    expect(texts(1, 100, 140)).toEqual([1, 2, 5, 10, 20, 50, 100]);
    expect(texts(0.01, 1e4, 150)).toEqual([0.01, 0.1, 1, 10, 100, 1000, 10_000]);
    expect(texts(0.01, 1e4, 75)).toEqual([0.01, 1, 100, 10_000]);
    expect(texts(50, 100, 40)).toEqual([50, 80]);
  });

  it('keep the order and the number of the marks', () => {
    const marks = logMarks(2, 2000);
    expect(labelledLogMarks(marks, { from: 2, to: 2000, length: 1000, space: 20 })).toHaveLength(
      marks.length,
    );
  });
});
