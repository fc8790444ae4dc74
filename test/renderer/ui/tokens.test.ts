import { describe, expect, it } from 'vitest';
import { rgbToHex } from '../../../src/renderer/ui/tokens.ts';

describe('rgbToHex', () => {
  it.each([
    ['rgb(10, 106, 138)', '#0a6a8a'],
    ['rgba(0, 0, 0, 0.5)', '#00000080'],
    ['rgba(255, 255, 255, 1)', '#ffffff'],
  ])('%s is %s', (computed, hex) => {
    expect(rgbToHex(computed)).toBe(hex);
  });
});
