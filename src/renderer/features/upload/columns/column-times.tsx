import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { CellExample, MatchedColumn } from '../../../../shared/upload/preview.ts';
import { formatOffset, formatTimestamp } from '../../../format/times.ts';
import { Choice } from '../../../ui/choice.tsx';
import { words } from '../../../words/words.ts';
import { formatInWords, isUnix } from './time-options.ts';

const w = words.upload.columns;
const long = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/**
 * What is wrong with a column, in the window's words where it has the means to settle it.
 * @param format what was said of how its times are written; undefined: nothing
 */
export function problemInWords(
  { choices, problem, problemOf, reading }: MatchedColumn,
  format: string | undefined,
): string | null {
  const [first, second] = choices;
  if (!first || reading !== null || problemOf !== 'format' || format !== undefined) return problem;
  return second ? w.chooseMeant(first.cell) : w.chooseFormat(first.cell);
}

interface TimeMeantProps {
  readonly column: MatchedColumn;
  /** What was chosen; null: nothing yet. */
  readonly format: string | null;
  readonly onChoose: (format: string) => void;
}

/** The formats that fit the cells, each with what it makes of one of them, where they leave open which is meant. */
export function TimeMeant({ column: { choices, reading }, format, onChoose }: TimeMeantProps) {
  const [first] = choices;
  const isOpen = choices.length > 1 || reading === null;
  // It stays once it was open: where what was pressed goes away, the next control takes the focus.
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  if (!first || !wasOpen) return null;
  return (
    <Choice
      layout="list"
      label={w.meant(first.cell)}
      value={format ?? ''}
      options={choices.map((choice) => ({
        id: choice.format,
        text: w.meantOne(long.format(choice.local), formatInWords(choice.format)),
      }))}
      onChange={onChoose}
    />
  );
}

/** Cells of a time column as the file has them, as the clocks of its zone show them, and as they are sent. */
export function TimeExamples({ column: { examples, reading } }: { column: MatchedColumn }) {
  const zone = isUnix(reading?.format ?? null) || reading?.zone === 'UTC' ? null : (reading?.zone ?? null);
  if (examples.length === 0) return null;
  return (
    <table className="table upload-examples small upload-times numbers">
      <thead>
        <tr>
          <th scope="col">{w.inFile}</th>
          {zone !== null && <th scope="col">{w.inZone(zone)}</th>}
          <th scope="col">{w.sent}</th>
        </tr>
      </thead>
      <tbody>
        {examples.map((example) => (
          <TimeRow key={example.line} example={example} zoned={zone !== null} />
        ))}
      </tbody>
    </table>
  );
}

function TimeRow({
  example: { cell, value, problem, time },
  zoned,
}: {
  example: CellExample;
  zoned: boolean;
}) {
  const wide = zoned ? 2 : 1;
  if (time === null)
    return (
      <tr>
        <td>{cell}</td>
        <td colSpan={wide} className={problem === null ? 'quiet' : 'tone-error'}>
          {problem ?? value ?? w.noValue}
        </td>
      </tr>
    );
  return (
    <>
      <tr>
        <td>{cell}</td>
        {zoned && (
          <td>
            {formatTimestamp(time.ms + time.offset * 60_000, 'utc')}{' '}
            <span className="quiet">{formatOffset(time.offset)}</span>
          </td>
        )}
        <td>{formatTimestamp(time.ms, 'utc')}</td>
      </tr>
      {time.twice && (
        <tr>
          <td colSpan={wide + 1}>
            <span className="line tone-warning">
              <TriangleAlert size={14} aria-hidden />
              {w.twice}
            </span>
          </td>
        </tr>
      )}
    </>
  );
}
