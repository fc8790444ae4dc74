import {
  columnNamesStyles,
  exportUnits,
  type ColumnNames,
  type ExportUnits,
} from '../../../shared/export/export.ts';
import { SelectField } from '../../ui/select-box.tsx';
import { words } from '../../words/words.ts';

const w = words.export;

interface OptionsProps<Choice> {
  readonly value: Choice;
  readonly onChange: (change: Choice) => void;
}

export const UnitOptions = ({ value, onChange }: OptionsProps<{ readonly units: ExportUnits }>) => (
  <SelectField
    label={w.unitSystem}
    value={value.units}
    options={exportUnits.map((id) => ({ id, text: w.unitSystems[id] }))}
    onChange={(units) => onChange({ units })}
  />
);

export const NamesOptions = ({ value, onChange }: OptionsProps<{ readonly columnNames: ColumnNames }>) => (
  <SelectField
    label={w.columnNames}
    value={value.columnNames}
    options={columnNamesStyles.map((id) => ({ id, text: w.columnStyles[id] }))}
    onChange={(columnNames) => onChange({ columnNames })}
  />
);
