import { compareNames } from '../../format/order.ts';
import { ComboBox } from '../../ui/combo-box.tsx';
import { words } from '../../words/words.ts';

export interface NameBoxProps<Id extends number | string> {
  readonly label: string;
  /** Null: any. */
  readonly value: Id | null;
  readonly text: string;
  /** The placeholder of an empty box; absent: any. */
  readonly placeholder?: string;
  readonly options: () => readonly { readonly id: Id; readonly name: string }[];
  readonly onSelect: (id: Id | null) => void;
}

/** Further options are listed for a longer text. */
export const maxOptions = 60;
/** The id of the option that removes a filter. */
export const anyOption = '\u0000any';

/** Selects one item by name, or any. */
export function NameBox<Id extends number | string>(props: NameBoxProps<Id>) {
  const { label, value, text, placeholder = words.wells.any, options, onSelect } = props;
  const find = (inputText: string) => {
    const searchText = inputText.trim().toLowerCase();
    const fitting = options()
      .filter(({ name }) => name.toLowerCase().includes(searchText))
      .toSorted((a, b) => compareNames(a.name, b.name))
      .slice(0, maxOptions)
      .map(({ id, name }) => ({ id: String(id), text: name }));
    return value === null || searchText !== ''
      ? fitting
      : [{ id: anyOption, text: words.wells.any }, ...fitting];
  };
  return (
    <ComboBox
      label={label}
      value={value === null ? null : String(value)}
      text={text}
      find={find}
      placeholder={placeholder}
      onSelect={(id) =>
        onSelect(id === anyOption ? null : (options().find((option) => String(option.id) === id)?.id ?? null))
      }
    />
  );
}
