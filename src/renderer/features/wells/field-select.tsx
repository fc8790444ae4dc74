import { Check } from 'lucide-react';
import { Checkbox } from 'react-aria-components/Checkbox';
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { Button, type Icon } from '../../ui/button.tsx';
import { Popup } from '../../ui/popup.tsx';
import { words } from '../../words/words.ts';
import type { FactField } from './facts.ts';

export interface FieldSelectProps {
  readonly heading: string;
  readonly note: string;
  readonly icon: Icon;
  readonly all: readonly FactField[];
  readonly selected: readonly FactField[];
  readonly onSelect: (fields: readonly FactField[]) => void;
}

/** Selects the fields of wells to show. */
export function FieldSelect({ heading, note, icon, all, selected, onSelect }: FieldSelectProps) {
  return (
    <Popup heading={heading} trigger={<Button variant="quiet" icon={icon} aria-label={heading} />}>
      {() => (
        <CheckboxGroup
          aria-label={heading}
          className="stack gap-1"
          value={[...selected]}
          onChange={(names) => onSelect(all.filter((field) => names.includes(field)))}
        >
          <p className="quiet field-choice-note">{note}</p>
          {all.map((field) => (
            <Checkbox key={field} value={field} className="checkbox field-choice-one">
              <span className="checkbox-box">
                <Check size={12} strokeWidth={3} aria-hidden />
              </span>
              {words.wells.fields[field]}
            </Checkbox>
          ))}
        </CheckboxGroup>
      )}
    </Popup>
  );
}
