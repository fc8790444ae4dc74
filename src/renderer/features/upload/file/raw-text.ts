/** A stretch of a raw line: text as it can be read, or a character that nobody sees. */
export type RawPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** `sign` stands for it, `code` says which it is. */
  | { readonly kind: 'sign'; readonly sign: string; readonly code: string };

const signs: Readonly<Record<string, string>> = {
  '\t': '→',
  ' ': '·',
  '\u00a0': '⍽',
  '\uFEFF': 'BOM',
  '\u200b': 'ZWSP',
  '\u00ad': 'SHY',
};

// Blanks within a text are seen by the gap that they leave; those at its ends, and several of them, are not.
const hidden = /^ +| +$| {2,}|(?! )[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Co}\p{Cn}]/gu;

/** What Unicode calls a character by, for example U+00A0. */
const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

const signOf = (character: string): RawPiece => {
  const code = codeOf(character);
  return { kind: 'sign', sign: signs[character] ?? code, code };
};

/** A line with signs in place of what can't be seen: tabs, blanks at its ends or side by side, control characters. */
export function piecesOf(line: string): RawPiece[] {
  const pieces: RawPiece[] = [];
  let from = 0;
  for (const { 0: found, index } of line.matchAll(hidden)) {
    if (index > from) pieces.push({ kind: 'text', text: line.slice(from, index) });
    pieces.push(...Array.from(found, signOf));
    from = index + found.length;
  }
  if (from < line.length) pieces.push({ kind: 'text', text: line.slice(from) });
  return pieces;
}
