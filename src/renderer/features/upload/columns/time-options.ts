import type { ComboOption } from '../../../ui/combo-box.tsx';
import { words } from '../../../words/words.ts';
import type { MatchedColumn } from '../../../../shared/upload/preview.ts';
import { formatTimestamp } from '../../../format/times.ts';

/** Patterns that files of the field are written in; any other can be typed. */
const patterns = [
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
  'yyyyMMdd',
];

type NamedFormat = 'iso' | 'unix_ms' | 'unix_s' | 'excel_1900' | 'excel_1904';

/** The formats that are offered for times. */
export function formatOptions(named: Readonly<Record<NamedFormat, string>>): ComboOption[] {
  return [
    { id: 'iso', text: named.iso },
    { id: 'unix_ms', text: named.unix_ms },
    { id: 'unix_s', text: named.unix_s },
    { id: 'excel_1900', text: named.excel_1900 },
    { id: 'excel_1904', text: named.excel_1904 },
    ...patterns.map((pattern) => ({ id: pattern, text: pattern })),
  ];
}

/** What a format is called; a pattern by itself. */
export function formatInWords(format: string | null): string {
  const named: Readonly<Record<string, string>> = words.upload.columns.formats;
  return format === null ? '' : (named[format] ?? format);
}

/** Unix times are of no zone. */
export const isUnix = (format: string | null): boolean => format?.startsWith('unix_') === true;

/**
 * A value of a record as a person reads it: times in Unix milliseconds as dates in UTC, texts without their quotes.
 * @param value its JSON text; null: no value
 */
export function valueInWords(
  value: string | null,
  { kind, reading }: Pick<MatchedColumn, 'kind' | 'reading'>,
  noValue: string,
): string {
  if (value === null) return reading === null || reading.as === 'asset' ? '' : noValue;
  if (reading?.as === 'time' && kind === 'timestamp') return `${formatTimestamp(Number(value), 'utc')} UTC`;
  if (!value.startsWith('"')) return value;
  const text: unknown = JSON.parse(value);
  return typeof text === 'string' ? text : value;
}
