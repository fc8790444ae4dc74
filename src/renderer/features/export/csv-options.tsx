import type { CsvStyle } from '../../../shared/export/csv-style.ts';
import { Choice } from '../../ui/choice.tsx';
import { words } from '../../words/words.ts';
import { offered, type CsvChoice } from './csv-styles.ts';

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
