import { Check } from 'lucide-react';
import { useId } from 'react';
import { Checkbox } from 'react-aria-components/Checkbox';

export interface CheckBoxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly note?: string;
  readonly isDisabled?: boolean;
}

export function CheckBox({ label, checked, onChange, note, isDisabled = false }: CheckBoxProps) {
  const id = useId();
  return (
    <div className="check-field">
      <Checkbox
        className="checkbox check-line row"
        isSelected={checked}
        onChange={onChange}
        isDisabled={isDisabled}
        {...(note === undefined ? {} : { 'aria-describedby': id })}
      >
        <span className="checkbox-box" aria-hidden>
          <Check size={12} strokeWidth={3} />
        </span>
        {label}
      </Checkbox>
      {note !== undefined && (
        <p id={id} className="field-note">
          {note}
        </p>
      )}
    </div>
  );
}
