import { type CsvStyle, csvStyle } from '../../../shared/export/csv-style.ts';
import { Choice } from '../../ui/choice.tsx';
import { words } from '../../words/words.ts';

export interface CsvOptionsProps {
  readonly value: CsvChoice;
  /** As the person set it. */
  readonly own: CsvStyle;
  readonly onChange: (choice: CsvChoice) => void;
}

/** For whom the CSV is written. */
export function CsvOptions({ value, own, onChange }: CsvOptionsProps) {
  return (
    <Choice
      label={words.export.csvStyle}
      layout="list"
      value={value}
      options={offered(own).map((id) => ({ id, text: words.export.csvStyles[id] }))}
      onChange={onChange}
    />
  );
}

/** How people call the ways to write CSV that they need; each is a style. */
const styles = {
  plain: {},
  excel: { bom: true, escapeFormulas: true },
  decimalComma: { delimiter: ';', decimal: ',', bom: true, escapeFormulas: true },
  tabs: { delimiter: '\t', newline: 'LF' },
} as const satisfies Record<string, Partial<CsvStyle>>;
type StyleName = keyof typeof styles;
const styleNames = ['plain', 'excel', 'decimalComma', 'tabs'] as const satisfies StyleName[];

/** A way to write CSV by its name; `own`: as the person set it, where that has no other name. */
export type CsvChoice = StyleName | 'own';

const isSame = (one: CsvStyle, other: CsvStyle): boolean =>
  one.delimiter === other.delimiter &&
  one.decimal === other.decimal &&
  one.newline === other.newline &&
  one.bom === other.bom &&
  one.escapeFormulas === other.escapeFormulas;

/** What a style is called. */
export const choiceOf = (style: CsvStyle): CsvChoice =>
  styleNames.find((name) => isSame(csvStyle.parse(styles[name]), style)) ?? 'own';

/** The ways that are offered: those with names, and before them the person's own where it has none. */
export const offered = (own: CsvStyle): readonly CsvChoice[] =>
  choiceOf(own) === 'own' ? ['own', ...styleNames] : styleNames;

/** The style of a choice. */
export const styleOf = (choice: CsvChoice, own: CsvStyle): CsvStyle =>
  choice === 'own' ? own : csvStyle.parse(styles[choice]);
