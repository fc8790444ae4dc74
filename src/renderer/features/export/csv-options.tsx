import type { CsvStyle } from '../../../shared/export.ts';
import { Choice } from '../../ui/choice.tsx';
import { words } from '../../words/words.ts';

/** How people call the ways to write CSV that they need; each is a style. */
const styles = {
  plain: {},
  excel: { bom: true, escapeFormulas: true },
  decimalComma: { delimiter: ';', decimal: ',', bom: true, escapeFormulas: true },
  tabs: { delimiter: '\t', newline: 'LF' },
} as const satisfies Record<string, Partial<CsvStyle>>;
type StyleName = keyof typeof styles;
const names = ['plain', 'excel', 'decimalComma', 'tabs'] as const satisfies StyleName[];
const options = names.map((id) => ({ id, text: words.export.csvStyles[id] }));

export interface CsvOptionsProps {
  readonly value: Partial<CsvStyle>;
  readonly onChange: (style: Partial<CsvStyle>) => void;
}

/** For whom the CSV is written. */
export function CsvOptions({ value, onChange }: CsvOptionsProps) {
  const chosen = names.find((name) => styles[name] === value) ?? 'plain';
  return (
    <Choice
      label={words.export.csvStyle}
      layout="list"
      value={chosen}
      options={options}
      onChange={(name) => onChange(styles[name])}
    />
  );
}
