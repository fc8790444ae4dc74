import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { CellExample, MatchedColumn } from '../../../../shared/upload/preview.ts';
import { formatZoned, offsetText } from '../../../format/zoned.ts';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { uploadWords } from '../../../words/upload.ts';
import type { ComboOption } from '../../../ui/combo-box.tsx';

const w = uploadWords.columns;
const long = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

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
        text: w.meantOne(long.format(choice.local), formatLabel(choice.format)),
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
            {formatZoned(time.ms + time.offset * 60_000, 'UTC')}{' '}
            <span className="quiet">{offsetText(time.offset * 60_000)}</span>
          </td>
        )}
        <td>{formatZoned(time.ms, 'UTC')}</td>
      </tr>
      {time.repeated !== null && (
        <tr>
          <td colSpan={wide + 1}>
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

type NamedFormat = 'iso' | 'unix_ms' | 'unix_s' | 'unix_us' | 'unix_ns' | 'excel_1900' | 'excel_1904';

/** The time formats to select from. */
export function formatOptions(named: Readonly<Record<NamedFormat, string>>): ComboOption[] {
  return [
    { id: 'iso', text: named.iso },
    { id: 'unix_ms', text: named.unix_ms },
    { id: 'unix_s', text: named.unix_s },
    { id: 'unix_us', text: named.unix_us },
    { id: 'unix_ns', text: named.unix_ns },
    { id: 'excel_1900', text: named.excel_1900 },
    { id: 'excel_1904', text: named.excel_1904 },
    ...timePatterns.map((pattern) => ({ id: pattern, text: pattern })),
  ];
}

/** The name of a format, or the pattern itself. */
export function formatLabel(format: string | null): string {
  const named: Readonly<Record<string, string>> = uploadWords.columns.formats;
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
  noValue: string,
): string {
  if (value === null) return reading === null || reading.as === 'asset' ? '' : noValue;
  if (reading?.as === 'time' && kind === 'timestamp') return `${formatZoned(Number(value), 'UTC')} UTC`;
  if (!value.startsWith('"')) return value;
  const text: unknown = JSON.parse(value);
  return typeof text === 'string' ? text : value;
}
