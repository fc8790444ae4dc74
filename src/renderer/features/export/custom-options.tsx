import type { CsvStyle } from '../../../shared/export/csv-style.ts';
import { exportFormats } from '../../../shared/export/export.ts';
import { CheckBox } from '../../ui/check-box.tsx';
import { OptionGroup } from '../../ui/option-group.tsx';
import { SelectField } from '../../ui/select-box.tsx';
import { words } from '../../words/words.ts';
import { CsvOptions } from './csv-options.tsx';
import { NamesOptions } from './column-options.tsx';
import { partitionChoices, type ExportChoice, isTable, isText, zonesFor } from './export-choice.ts';

export interface CustomOptionsProps {
  readonly value: ExportChoice;
  /** The tab's time zone; null: raw times. */
  readonly zone: string | null;
  readonly userStyle: CsvStyle;
  /** Whether the dataset can have depths, which LAS needs. */
  readonly canBeLas: boolean;
  /** Whether the records can be divided into several files. */
  readonly canDivide: boolean;
  readonly onChange: (changes: Partial<ExportChoice>) => void;
}

const formats = exportFormats.map((id) => ({ id, text: words.export.formats[id] }));

/** The options of an export one by one. */
export function CustomOptions({ value, zone, userStyle, canBeLas, canDivide, onChange }: CustomOptionsProps) {
  const { format, csv, times, isReadable } = value;
  return (
    <>
      <OptionGroup
        label={words.export.format}
        layout="line"
        value={format}
        options={formats.filter(({ id }) => id !== 'las' || canBeLas)}
        onChange={(selected) => onChange({ format: selected })}
      />
      <div className="export-custom">
        {format === 'csv' && (
          <CsvOptions value={csv} userStyle={userStyle} onChange={(style) => onChange({ csv: style })} />
        )}
        {format === 'parquet' && <NamesOptions value={value} onChange={onChange} />}
        {format === 'parquet' && canDivide && (
          <SelectField
            label={words.export.partition}
            value={value.partition}
            options={partitionChoices.map((id) => ({ id, text: words.export.partitions[id] }))}
            onChange={(partition) => onChange({ partition })}
            {...(value.partition === 'none' ? {} : { note: words.export.folderText })}
          />
        )}
        {format === 'xlsx' && (
          <OptionGroup
            label={words.export.times}
            layout="list"
            value={times === 'raw' ? 'UTC' : times}
            options={zonesFor(zone).map((id) => ({ id, text: words.export.dates(id) }))}
            onChange={(zoneOrRaw) => onChange({ times: zoneOrRaw })}
          />
        )}
        {isText(format) && (
          <OptionGroup
            label={words.export.times}
            layout="list"
            value={times}
            options={[
              ...zonesFor(zone).map((id) => ({ id, text: words.export.iso(id) })),
              { id: 'raw', text: words.export.raw },
            ]}
            onChange={(zoneOrRaw) => onChange({ times: zoneOrRaw })}
          />
        )}
      </div>
      {isTable(format) && (
        <CheckBox
          label={words.export.readable}
          checked={isReadable}
          onChange={(checked) => onChange({ isReadable: checked })}
        />
      )}
    </>
  );
}
