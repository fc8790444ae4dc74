import { compareNames } from '../../format/order.ts';
import { ComboBox } from '../../ui/combo-box.tsx';
import { words } from '../../words/words.ts';

export interface NameBoxProps<Id extends number | string> {
  readonly label: string;
  /** Null: any. */
  readonly value: Id | null;
  readonly text: string;
  /** What stands in the box while nothing is chosen; absent: any. */
  readonly placeholder?: string;
  readonly options: () => readonly { readonly id: Id; readonly name: string }[];
  readonly onChoose: (id: Id | null) => void;
}

const shown = 60;
const any = '\u0000any';

/** One of many by its name, or any. */
export function NameBox<Id extends number | string>(props: NameBoxProps<Id>) {
  const { label, value, text, placeholder = words.wells.any, options, onChoose } = props;
  const find = (typed: string) => {
    const wanted = typed.trim().toLowerCase();
    const found = options()
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .toSorted((a, b) => compareNames(a.name, b.name))
      .slice(0, shown)
      .map(({ id, name }) => ({ id: String(id), text: name }));
    return value === null || wanted !== '' ? found : [{ id: any, text: words.wells.any }, ...found];
  };
  return (
    <ComboBox
      label={label}
      value={value === null ? null : String(value)}
      text={text}
      find={find}
      placeholder={placeholder}
      onChoose={(id) =>
        onChoose(id === any ? null : (options().find((each) => String(each.id) === id)?.id ?? null))
      }
    />
  );
}
