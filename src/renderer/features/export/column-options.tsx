import {
  columnNamesStyles,
  exportUnits,
  type ColumnNames,
  type ExportUnits,
} from '../../../shared/export/export.ts';
import { SelectField } from '../../ui/select-box.tsx';
import { words } from '../../words/words.ts';

const w = words.export;

interface ColumnChoice {
  readonly units: ExportUnits;
  readonly columnNames: ColumnNames;
}

export interface ColumnOptionsProps {
  readonly value: ColumnChoice;
  readonly onChange: (change: Partial<ColumnChoice>) => void;
}

/** The units of numbers. */
export const UnitOptions = ({ value, onChange }: ColumnOptionsProps) => (
  <SelectField
    label={w.unitSystem}
    value={value.units}
    options={exportUnits.map((id) => ({ id, text: w.unitSystems[id] }))}
    onChange={(units) => onChange({ units })}
  />
);

/** The units of numbers, and the names of columns in Parquet. */
export const ColumnOptions = ({ value, onChange }: ColumnOptionsProps) => (
  <>
    <UnitOptions value={value} onChange={onChange} />
    <SelectField
      label={w.columnNames}
      value={value.columnNames}
      options={columnNamesStyles.map((id) => ({ id, text: w.columnStyles[id] }))}
      onChange={(columnNames) => onChange({ columnNames })}
    />
  </>
);
