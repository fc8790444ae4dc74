import { type CsvStyle, csvStyle } from '../../../shared/export/csv-style.ts';
import { OptionGroup } from '../../ui/option-group.tsx';
import { words } from '../../words/words.ts';

export interface CsvOptionsProps {
  readonly value: CsvChoice;
  /** The user's settings. */
  readonly userStyle: CsvStyle;
  readonly onChange: (choice: CsvChoice) => void;
}

/** Selects a CSV style. */
export function CsvOptions({ value, userStyle, onChange }: CsvOptionsProps) {
  return (
    <OptionGroup
      label={words.export.csvStyle}
      layout="list"
      value={value}
      options={csvChoices(userStyle).map((id) => ({ id, text: words.export.csvStyles[id] }))}
      onChange={onChange}
    />
  );
}

/** CSV styles by purpose. */
const styles = {
  plain: {},
  excel: { bom: true, escapeFormulas: true },
  decimalComma: { delimiter: ';', decimal: ',', bom: true, escapeFormulas: true },
  tabs: { delimiter: '\t', newline: 'LF' },
} as const satisfies Record<string, Partial<CsvStyle>>;
type StyleName = keyof typeof styles;
const styleNames = ['plain', 'excel', 'decimalComma', 'tabs'] as const satisfies StyleName[];

/** A CSV style by name; `own`: the user's settings, if they match no other style. */
export type CsvChoice = StyleName | 'own';

const isSame = (a: CsvStyle, b: CsvStyle): boolean =>
  a.delimiter === b.delimiter &&
  a.decimal === b.decimal &&
  a.newline === b.newline &&
  a.bom === b.bom &&
  a.escapeFormulas === b.escapeFormulas;

/** The name of a style. */
export const choiceOf = (style: CsvStyle): CsvChoice =>
  styleNames.find((name) => isSame(csvStyle.parse(styles[name]), style)) ?? 'own';

/** The available styles; the user's first if it has no name. */
export const csvChoices = (current: CsvStyle): readonly CsvChoice[] =>
  choiceOf(current) === 'own' ? ['own', ...styleNames] : styleNames;

/** The style of a name. */
export const styleOf = (choice: CsvChoice, current: CsvStyle): CsvStyle =>
  choice === 'own' ? current : csvStyle.parse(styles[choice]);
