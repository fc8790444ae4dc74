import type { ReadingOptions } from '../../../../shared/upload/upload.ts';

/** How a file is read, as far as a person has corrected what was detected. */
export type ReadingChoices = Readonly<ReadingOptions>;

export const asDetected: ReadingChoices = {};

/** The encodings offered; the engine knows more, but these are what files of the field come in. */
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

const parts = {
  encoding: String,
  delimiter: String,
  headerRow: Number,
  unitRow: Number,
  footerRows: Number,
};
export type ReadingPart = keyof typeof parts;

/** The choices with one thing as it was selected, as text; undefined: as detected. */
export function chooseReading(
  choices: ReadingChoices,
  what: ReadingPart,
  value: string | undefined,
): ReadingChoices {
  const others = Object.fromEntries(Object.entries(choices).filter(([key]) => key !== what));
  return { ...others, ...(value === undefined ? {} : { [what]: parts[what](value) }) };
}
