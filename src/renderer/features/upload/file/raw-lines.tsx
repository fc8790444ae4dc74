import { Fragment } from 'react';
import type { RawLine } from '../../../../shared/upload/preview.ts';
import { words } from '../../../words/words.ts';
import { fileName } from '../upload-state.ts';
import { useTabState } from '../../../state/contexts.ts';

const w = words.upload.raw;

/** The first lines of the file as they stand in it, each with what it was taken for. */
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
              <span aria-hidden>{piece.sign}</span>
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
