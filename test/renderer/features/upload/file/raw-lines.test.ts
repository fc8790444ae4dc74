import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../../../../src/renderer/features/upload/file/file-preview.tsx';

/** The pieces as one text, with symbols in brackets. */
const shown = (line: string) =>
  piecesOf(line)
    .map((piece) => (piece.kind === 'text' ? piece.text : `[${piece.symbol}]`))
    .join('');

describe('a raw line', () => {
  it('shows tabs, control characters, and zero-width characters', () => {
    expect(shown('a\tb\u0000c\u00a0d\u200be\u202ef')).toBe('a[→]b[U+0000]c[⍽]d[ZWSP]e[U+202E]f');
  });

  it('shows blanks that are easy to miss, and leaves single ones within a text', () => {
    expect(shown('  a b  c;d ')).toBe('[·][·]a b[·][·]c;d[·]');
  });

  it('leaves letters, symbols, and emoji of all scripts unchanged', () => {
    const text = 'Förderhöhe ± µm, 井 😀 “a” \uFFFD';
    expect(piecesOf(text)).toEqual([{ kind: 'text', text }]);
    expect(piecesOf('')).toEqual([]);
  });

  it('names each symbol by its Unicode name', () => {
    expect(piecesOf('\t')).toEqual([{ kind: 'sign', symbol: '→', code: 'U+0009' }]);
  });
});
