import { Check, ChevronDown } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select, SelectValue } from 'react-aria-components/Select';
import { useStable } from '../state/use-stable.ts';

interface SelectOption<T extends string = string> {
  readonly id: T;
  readonly text: string;
  /** A shorter text for the closed box. */
  readonly shortText?: string;
  /** Distinguishes it from others, in a box with a search. */
  readonly note?: string;
}

const isSame = (a: SelectOption, b: SelectOption | undefined): boolean =>
  a === b || (a.id === b?.id && a.text === b.text && a.note === b.note && a.shortText === b.shortText);

/** The options of the last time if these are equal: the library builds a hidden list of all options for each other list. */
export const useSameOptions = <T extends SelectOption>(options: readonly T[]): readonly T[] =>
  useStable(
    options,
    (last, next) => next.length === last.length && next.every((option, at) => isSame(option, last[at])),
  );

export interface SelectBoxProps<T extends string> {
  readonly label: string;
  readonly describedBy?: string;
  readonly value: T;
  readonly options: readonly SelectOption<T>[];
  readonly onChange: (value: T) => void;
  /** `small`: in a bar. */
  readonly size?: 'small' | 'medium';
}

const optionItem = ({ id, text }: SelectOption) => (
  <ListBoxItem id={id} textValue={text} className="menu-item">
    {({ isSelected }) => (
      <>
        <span className="menu-text">{text}</span>
        {isSelected && <Check size={14} aria-hidden />}
      </>
    )}
  </ListBoxItem>
);

export function SelectBox<T extends string>(props: SelectBoxProps<T>) {
  const { label, describedBy, value, onChange, size = 'medium' } = props;
  const options = useSameOptions(props.options);
  const short = options.find(({ id }) => id === value)?.shortText;
  return (
    <Select
      aria-label={label}
      {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}

      value={value}
      onChange={(key) => {
        const option = options.find(({ id }) => id === key);
        if (option) onChange(option.id);
      }}
    >
      <Button className={`select-button select-button-${size} row gap-1`}>
        <SelectValue className="select-value ellipsis">
          {short ?? (({ defaultChildren }) => defaultChildren)}
        </SelectValue>
        <ChevronDown size={14} aria-hidden />
      </Button>
      <Popover className="popover">
        <ListBox className="menu" items={options}>
          {optionItem}
        </ListBox>
      </Popover>
    </Select>
  );
}

export function SelectField<T extends string>({ note, ...props }: SelectBoxProps<T> & { note?: string }) {
  return (
    <div className="field">
      <span className="field-label" aria-hidden>
        {props.label}
      </span>
      <SelectBox {...props} />
      {note !== undefined && <span className="field-note">{note}</span>}
    </div>
  );
}
