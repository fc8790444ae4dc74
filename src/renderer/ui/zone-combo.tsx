import { findZones, typedZone } from '../format/zone-search.ts';
import { ComboBox, type ComboBoxProps, type ComboOption } from './combo-box.tsx';

type ZoneComboProps = Pick<
  ComboBoxProps,
  'label' | 'value' | 'note' | 'problem' | 'emptyText' | 'placeholder' | 'hasInitialFocus' | 'allowsCustom'
> & { readonly onChoose: (zone: string) => void };

const options = (typed: string): ComboOption[] =>
  findZones(typed).map(({ zone, note }) => ({ id: zone, text: zone, ...(note ? { note } : {}) }));

/** Selects a time zone by its name, a place, the name of its time, an abbreviation, or an offset. */
export function ZoneCombo({ onChoose, value, ...props }: ZoneComboProps) {
  return (
    <ComboBox
      {...props}
      value={value}
      text={value ?? ''}
      find={options}
      onSelect={(typed) => onChoose(typedZone(typed))}
    />
  );
}
