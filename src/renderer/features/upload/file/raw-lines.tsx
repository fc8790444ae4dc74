import { Fragment } from 'react';
import type { RawLine } from '../../../../shared/upload/preview.ts';
import { words } from '../../../words/words.ts';
import { piecesOf } from './raw-text.ts';
import { fileName } from '../upload-state.ts';
import { useTabState } from '../../../state/contexts.ts';

const w = words.upload.raw;

/** The first lines of the file as they stand in it, each with what it was taken for. */
export function RawLines() {
  const preview = useTabState('upload', (state) => state.preview);
  const name = useTabState('upload', fileName) ?? '';
  if (preview.face !== 'full') return null;
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
