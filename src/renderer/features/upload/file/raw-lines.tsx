import { Fragment } from 'react';
import type { RawLine } from '../../../../shared/upload/preview.ts';
import { uploadWords } from '../../../words/upload.ts';
import { fileName } from '../upload-facts.ts';
import { useTabState } from '../../../contexts.ts';
import { append } from '../../../../shared/lists.ts';

const w = uploadWords.raw;

/** The first lines of the file as they are, each with its role. */
export function RawLines() {
  const preview = useTabState('upload', (state) => state.preview);
  const name = useTabState('upload', fileName) ?? '';
  if (preview.status !== 'loaded') return null;
  return (
    // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <section className="raw-lines small mono" tabIndex={0} aria-label={w.label(name)}>
      <table>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{w.line}</th>
            <th scope="col">{w.taken}</th>
            <th scope="col">{w.text}</th>
          </tr>
        </thead>
        <tbody>
          {preview.value.lines.map((line) => (
            <Line key={line.line} line={line} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Line({ line: { line, text, cut, ending, kind } }: { line: RawLine }) {
  return (
    <tr data-kind={kind}>
      <th scope="row" className="numbers">
        {line}
      </th>
      <td className="raw-kind">{w.kinds[kind]}</td>
      <td className="raw-text" dir="ltr">
        {piecesOf(text).map((piece, at) =>
          piece.kind === 'text' ? (
            <Fragment key={at}>{piece.text}</Fragment>
          ) : (
            <span key={at} className="raw-sign">
              <span aria-hidden>{piece.symbol}</span>
              <span className="visually-hidden">{w.signs[piece.code] ?? piece.code}</span>
            </span>
          ),
        )}
        {cut ? (
          <span className="raw-cut quiet">{w.cut}</span>
        ) : (
          ending !== 'none' && (
            <span className="raw-sign raw-end" aria-hidden>
              {w.endings[ending]}
            </span>
          )
        )}
      </td>
    </tr>
  );
}

/** A part of a raw line: visible text, or an invisible character. */
export type RawPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** `symbol` replaces the character, `code` names it. */
  | { readonly kind: 'sign'; readonly symbol: string; readonly code: string };

const symbols: Readonly<Record<string, string>> = {
  '\t': '→',
  ' ': '·',
  '\u00a0': '⍽',
  '\uFEFF': 'BOM',
  '\u200b': 'ZWSP',
  '\u00ad': 'SHY',
};

// Single spaces within a text are visible as gaps; those at its ends, and several in a row, are not.
const hiddenCharacters = /^ +| +$| {2,}|(?! )[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Co}\p{Cn}]/gu;

/** The Unicode name of a character, for example U+00A0. */
const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

const symbolOf = (character: string): RawPiece => {
  const code = codeOf(character);
  return { kind: 'sign', symbol: symbols[character] ?? code, code };
};

/** A line with symbols for invisible characters: tabs, spaces at its ends or in a row, control characters. */
export function piecesOf(line: string): RawPiece[] {
  const pieces: RawPiece[] = [];
  let from = 0;
  for (const { 0: hidden, index } of line.matchAll(hiddenCharacters)) {
    if (index > from) pieces.push({ kind: 'text', text: line.slice(from, index) });
    append(pieces, Array.from(hidden, symbolOf));
    from = index + hidden.length;
  }
  if (from < line.length) pieces.push({ kind: 'text', text: line.slice(from) });
  return pieces;
}
