import type { ComboOption } from '../../../ui/combo-box.tsx';
import { words } from '../../../words/words.ts';

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
