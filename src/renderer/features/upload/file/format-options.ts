import { readingOptions, type ReadingOptions } from '../../../../shared/upload/upload.ts';

/** File format options that the user set instead of the detected ones. */
export type FormatOptions = Readonly<ReadingOptions>;

export const detectedFormat: FormatOptions = {};

/** Encodings that are common in the field; the engine supports more. */
export const encodings = [
  'UTF-8',
  'Windows-1252',
  'UTF-16LE',
  'UTF-16BE',
  'ISO-8859-1',
  'ISO-8859-15',
  'windows-1250',
  'windows-1251',
  'Big5',
  'GB18030',
  'Shift_JIS',
  'EUC-JP',
  'EUC-KR',
] as const;
export const delimiters = [',', ';', '\t', '|'] as const;

/** Actions for rows with fewer cells than the header. */
export const shortRows = readingOptions.shape.shortRows.unwrap().options;

export const hashLines = readingOptions.shape.hashLines.unwrap().options;

/** What is done with apostrophes before =, +, -, and @. */
export const apostrophes = readingOptions.shape.apostrophes.unwrap().options;

export const arrays = readingOptions.shape.arrays.unwrap().options;

/** Those that are set one at a time. */
export type FormatOption = Exclude<keyof ReadingOptions, 'columnEdges'>;
const numericOptions: readonly FormatOption[] = ['headerRow', 'unitRow', 'footerRows'];

/** The options with one of them changed, as text; undefined: detected. */
export function setFormatOption(
  choices: FormatOptions,
  what: FormatOption,
  value: string | undefined,
): FormatOptions {
  const { [what]: _, ...otherChoices } = choices;
  if (value === undefined) return otherChoices;
  return readingOptions.parse({
    ...otherChoices,
    [what]: numericOptions.includes(what) ? Number(value) : value,
  });
}
