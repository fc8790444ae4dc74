import { quantitiesOf } from '../../../../shared/channels/units.ts';
import type { FileWarning } from '../../../../shared/upload/upload.ts';
import type { WarningCode } from '../../../../shared/upload/warnings.ts';
import type { ColumnFacts, ColumnType } from './column-facts.ts';
import type { JudgedType } from './column-type.ts';

/** A warning about a column: words that follow its name, and the affected rows. */
export type WarningText = readonly [
  code: WarningCode,
  line: number | null | undefined,
  words: string,
  count: number,
  about?: Pick<FileWarning, 'cell' | 'digits'>,
];

const typeNames: Readonly<Record<ColumnType['type'], string>> = {
  integer: 'numbers',
  number: 'numbers',
  boolean: 'true or false',
  time: 'times',
  string: 'text',
  empty: 'blank',
};

/** Values that differ from the type of their column: too few to change it. */
export function exceptionWarnings({ type, exceptions, exception, values }: JudgedType): WarningText[] {
  if (exceptions === 0 || !exception) return [];
  const text = exception.text.slice(0, 60);
  const what = `: ${exceptions} of ${values} values ${exceptions === 1 ? 'is' : 'are'} not ${typeNames[type]}, such as “${text}”.`;
  const next =
    type === 'time'
      ? ''
      : ` ${exceptions === 1 ? 'Its row is' : 'Their rows are'} rejected unless you treat it as null or read the column as text.`;
  return [['type_exceptions', exception.line, what + next, exceptions, { cell: exception.text }]];
}

/** A number with blanks or points between its thousands, another minus, or brackets, and a text behind a blank. */
const numberInText =
  /^(?:[+\-\u2212]|\((?=.*\)$))? ?(?:\d{1,3}(?:[.,\u00a0\u202f ']\d{3}){1,4}|\d+)(?:[.,]\d+)?(?:\s?(?:%|°[CF]?)|\s(?<word>\S{1,8}))?\)?$/u;

function looksLikeNumber(text: string | null | undefined): boolean {
  const match = numberInText.exec(text ?? '');
  // Plain digits are text on purpose, such as API numbers in a workbook.
  if (!match || /^\d+$/.test(match[0])) return false;
  const word = match.groups?.['word'];
  return word === undefined || quantitiesOf(word).length > 0;
}

/** Texts that are numbers for a person: `0.5 psi`, `5%`, `1.234,5`, `1 000`. Judged by the first and two other values. */
export function numberTexts(
  { counts, firsts, minText, maxText }: ColumnFacts,
  { type }: ColumnType,
): WarningText[] {
  const first = firsts.text ?? firsts.label;
  const isOther = counts.code + counts.time + counts.date + counts.boolean > 0;
  if (type !== 'string' || !first || isOther) return [];
  if (![first.text, minText, maxText].every(looksLikeNumber)) return [];
  const words = ` has values such as “${first.text.slice(0, 60)}”, which are read as text. To store numbers, write them without blanks, separators of thousands, and units.`;
  return [['numbers_as_text', first.line, words, counts.text + counts.label, { cell: first.text }]];
}
