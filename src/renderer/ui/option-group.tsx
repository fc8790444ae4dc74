import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';

export interface OptionGroupProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly id: T; readonly text: string }[];
  readonly onChange: (value: T) => void;
  /** `line`: small and side by side, its label for screen readers only; `list`: one below the other. */
  readonly layout: 'line' | 'list';
}

export function OptionGroup<T extends string>({
  label,
  value,
  options,
  onChange,
  layout,
}: OptionGroupProps<T>) {
  const choose = (id: string) => {
    const option = options.find((option) => option.id === id);
    if (option) onChange(option.id);
  };
  return (
    <RadioGroup
      className={`choice choice-${layout}`}
      value={value}
      onChange={choose}
      orientation={layout === 'line' ? 'horizontal' : 'vertical'}
      {...(layout === 'line' ? { 'aria-label': label } : {})}
    >
      {layout === 'list' && <Label className="field-label">{label}</Label>}
      <div className="choice-options row gap-0 items-stretch">
        {options.map(({ id, text }) => (
          <Radio key={id} value={id} className="choice-option">
            {text}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
