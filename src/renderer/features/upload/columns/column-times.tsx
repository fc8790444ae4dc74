import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { CellExample, MatchedColumn } from '../../../../shared/upload/preview.ts';
import { formatZoned, offsetText } from '../../../format/zoned.ts';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { uploadWords } from '../../../words/upload.ts';
import type { ComboOption } from '../../../ui/combo-box.tsx';

const w = uploadWords.columns;
const longFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** A local time as a person says it, with the name of its month. @param local the time as if it were UTC, in milliseconds */
export const localTimeText = (local: number): string => longFormat.format(local);

/**
 * A column's problem, as a message that names the control to fix it.
 * @param format the time format that the user selected; undefined: none
 */
export function columnProblemText(
  { choices, problem, problemOf, reading }: MatchedColumn,
  format: string | undefined,
): string | null {
  const [first, second] = choices;
  if (!first || reading !== null || problemOf !== 'format' || format !== undefined) return problem;
  return second ? w.chooseMeant(first.cell) : w.chooseFormat(first.cell);
}

interface AmbiguousFormatsProps {
  readonly column: MatchedColumn;
  /** The selected format; null: none yet. */
  readonly format: string | null;
  readonly onChoose: (format: string) => void;
}

/** The time formats that fit the cells, each with an example, if several do. */
export function AmbiguousFormats({ column: { choices, reading }, format, onChoose }: AmbiguousFormatsProps) {
  const [first] = choices;
  const isOpen = choices.length > 1 || reading === null;
  // Stays visible once shown: a button that disappears on press would move the focus.
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  if (!first || !wasOpen) return null;
  return (
    <OptionGroup
      layout="list"
      label={w.meant(first.cell)}
      value={format ?? ''}
      options={choices.map((choice) => ({
        id: choice.format,
        text: w.meantOne(localTimeText(choice.local), formatLabel(choice.format)),
      }))}
      onChange={onChoose}
    />
  );
}

/** Examples of a time column: as in the file, in local time, and as sent. */
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
          <TimeRow key={example.line} example={example} isZoned={zone !== null} />
        ))}
      </tbody>
    </table>
  );
}

interface TimeRowProps {
  readonly example: CellExample;
  /** Whether the table has a column of local times. */
  readonly isZoned: boolean;
}

function TimeRow({ example: { cell, value, problem, time }, isZoned }: TimeRowProps) {
  const columns = isZoned ? 2 : 1;
  if (time === null)
    return (
      <tr>
        <td>{cell}</td>
        <td colSpan={columns} className={problem === null ? 'quiet' : 'tone-error'}>
          {problem ?? value ?? w.noValue}
        </td>
      </tr>
    );
  return (
    <>
      <tr>
        <td>{cell}</td>
        {isZoned && (
          <td>
            {formatZoned(time.ms + time.offset * 60_000, 'UTC')}{' '}
            <span className="quiet">{offsetText(time.offset * 60_000)}</span>
          </td>
        )}
        <td>{formatZoned(time.ms, 'UTC')}</td>
      </tr>
      {time.repeated !== null && (
        <tr>
          <td colSpan={columns + 1}>
            <span className="upload-example line tone-warning">
              <TriangleAlert size={14} aria-hidden />
              {w.repeated(time.repeated)}
            </span>
          </td>
        </tr>
      )}
    </>
  );
}

/** Patterns that are common in the field. Users can type others. */
const timePatterns = [
  'yyyy-MM-dd HH:mm:ss',
  'dd.MM.yyyy HH:mm:ss',
  'dd.MM.yyyy HH:mm',
  'dd/MM/yyyy HH:mm:ss',
  'dd/MM/yyyy HH:mm',
  'MM/dd/yyyy HH:mm:ss',
  'MM/dd/yyyy HH:mm',
  'dd-MMM-yyyy HH:mm:ss',
  'yyyy/MM/dd HH:mm:ss',
  'dd.MM.yyyy',
  'dd/MM/yyyy',
  'MM/dd/yyyy',
  'd-MMM-yy',
  'yyyyMMdd',
  'yyyyMMddHHmmss',
];

export const timeFormats: readonly ComboOption[] = [
  ...Object.entries(w.formats).map(([id, text]) => ({ id, text })),
  ...timePatterns.map((pattern) => ({ id: pattern, text: pattern })),
];

/** The name of a format, or the pattern itself. */
export function formatLabel(format: string | null): string {
  const named: Readonly<Record<string, string>> = w.formats;
  return format === null ? '' : (named[format] ?? format);
}

/** Unix times have no time zone. */
export const isUnix = (format: string | null): boolean => format?.startsWith('unix_') === true;

/**
 * A record's value for display: timestamps as UTC dates, strings without quotes.
 * @param value its JSON text; null: no value
 */
export function recordValueText(
  value: string | null,
  { kind, reading }: Pick<MatchedColumn, 'kind' | 'reading'>,
): string {
  if (value === null) return reading === null || reading.as === 'asset' ? '' : w.noValue;
  if (reading?.as === 'time' && kind === 'timestamp') return `${formatZoned(Number(value), 'UTC')} UTC`;
  if (!value.startsWith('"')) return value;
  const text: unknown = JSON.parse(value);
  return typeof text === 'string' ? text : value;
}
