import { describe, expect, it } from 'vitest';
import { contrast, token } from './tokens.ts';

const surfaces = ['surface', 'surface-quiet', 'surface-raised', 'hover', 'pressed', 'selected'];

/**
 * Pairs of foreground and background tokens, and the minimum contrast of WCAG 2.2 AA: 4.5 for text, 3 for other
 * elements.
 */
const pairs: readonly (readonly [on: readonly string[], minContrast: number, drawn: readonly string[]])[] = [
  [surfaces, 4.5, ['text', 'text-quiet']],
  [['surface', 'surface-quiet', 'surface-raised', 'hover', 'selected'], 4.5, ['accent', 'accent-strong']],
  [['accent', 'accent-strong'], 4.5, ['on-accent']],
  [['surface', 'surface-quiet', 'surface-raised'], 4.5, ['error', 'warning', 'ok']],
  [['error-surface'], 4.5, ['error', 'text']],
  [['warning-surface'], 4.5, ['warning', 'text']],
  [['surface'], 4.5, ['code-key', 'code-operator', 'code-string', 'code-number']],
  [['surface', 'surface-quiet', 'surface-raised'], 3, ['line-strong', 'accent']],
  [
    ['surface', 'surface-quiet'],
    3,
    ['blue', 'green', 'amber', 'red', 'violet', 'grey'].map((color) => `connection-${color}`),
  ],
];

describe.each([
  ['light', 0, 'usual'],
  ['dark', 1, 'usual'],
  ['light', 0, 'more'],
  ['dark', 1, 'more'],
] as const)('in the %s theme (%i), contrast %s', (_theme, at, asked) => {
  it('has enough contrast for every element on its background', () => {
    const weakPairs = pairs.flatMap(([on, minContrast, drawn]) =>
      on.flatMap((surface) =>
        drawn.flatMap((name) => {
          const ratio = contrast(token(name, asked)[at], token(surface, asked)[at]);
          return ratio < minContrast ? [`${name} on ${surface}: ${ratio.toFixed(2)}`] : [];
        }),
      ),
    );
    expect(weakPairs).toEqual([]);
  });
});

describe.each(['light', 'dark'] as const)('more contrast, in the %s theme', (theme) => {
  it('is higher for text and lines', () => {
    const at = theme === 'light' ? 0 : 1;
    const ratios = (asked: 'usual' | 'more') =>
      ['text', 'text-quiet', 'line', 'line-strong', 'accent', 'error', 'warning', 'ok'].map((name) =>
        contrast(token(name, asked)[at], token('surface', asked)[at]),
      );
    const usual = ratios('usual');
    expect(ratios('more').filter((ratio, n) => ratio <= (usual[n] ?? 0))).toEqual([]);
  });
});
