import { Check, ChevronDown } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select, SelectValue } from 'react-aria-components/Select';

export interface SelectBoxProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly id: T; readonly text: string }[];
  readonly onChange: (value: T) => void;
}

/** One of several, folded away. */
export function SelectBox<T extends string>({ label, value, options, onChange }: SelectBoxProps<T>) {
  return (
    <Select
      aria-label={label}
      className="select"
      value={value}
      onChange={(key) => {
        const option = options.find(({ id }) => id === key);
        if (option) onChange(option.id);
      }}
    >
      <Button className="select-button">
        <SelectValue className="select-value" />
        <ChevronDown size={14} aria-hidden />
      </Button>
      <Popover className="popover">
        <ListBox className="menu" items={options}>
          {({ id, text }) => (
            <ListBoxItem id={id} textValue={text} className="menu-item">
              {({ isSelected }) => (
                <>
                  <span className="menu-text">{text}</span>
                  {isSelected && <Check size={14} aria-hidden />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
}
