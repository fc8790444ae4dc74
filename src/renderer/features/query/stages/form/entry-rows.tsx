import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { words } from '../../../../words/words.ts';
import { DraftField } from './draft-field.tsx';
import {
  addEntry,
  removeEntry,
  unusedName,
  isValue,
  renameEntry,
  replaceValue,
  type FormEntry,
} from './entries.ts';

const { form } = words.stages;

/** A stage whose object is shown as rows. */
export interface RowsProps {
  readonly body: string;
  readonly entries: readonly FormEntry[];
  readonly onChange: (body: string) => void;
}

interface EntryRowsProps extends RowsProps {
  readonly add: string;
  /** The initial value of a new entry. */
  readonly newValue: FormEntry;
  /** Entries that are shown elsewhere. */
  readonly excludedKeys?: string;
  readonly pathLabel?: string;
  readonly render: (entry: FormEntry, write: (value: string) => void) => ReactNode;
}

/** A row for each entry: its name, its value as rendered by `render`, and a remove button. */
export function EntryRows(props: EntryRowsProps) {
  const { body, entries, onChange, add, newValue, excludedKeys, pathLabel = form.path, render } = props;
  const validateName = (ownKey: string) => (text: string) => {
    if (text.trim() === '') return form.nameless;
    const isTaken = text.trim() !== ownKey && entries.some(({ key }) => key === text.trim());
    return isTaken ? form.twice : null;
  };
  return (
    <div className="stage-rows">
      {entries.map((entry, at) =>
        entry.key === excludedKeys ? null : (
          // Rows are identified by index, because their names change while the user types.
          <fieldset key={at} className="stage-row" aria-label={entry.key}>
            <DraftField
              label={form.row(pathLabel, entry.key)}
              name="path"
              value={entry.key}
              validate={validateName(entry.key)}
              onChange={(key) => onChange(renameEntry(body, at, key))}
            />
            {render(entry, (value) => onChange(replaceValue(body, at, value)))}
            <Button
              variant="quiet"
              icon={X}
              aria-label={form.remove(entry.key)}
              onPress={() => onChange(removeEntry(body, at))}
            />
          </fieldset>
        ),
      )}
      <Button
        variant="quiet"
        icon={Plus}
        className="self-start"
        onPress={() => onChange(addEntry(body, unusedName(entries, newValue.key), newValue.value))}
      >
        {add}
      </Button>
    </div>
  );
}

/** The problem of a text as a value; null: none. */
export const validateValue = (text: string) => (isValue(text) ? null : form.badValue);

/** A value of a row, as it is in the text. */
export function ValueField({
  of,
  value,
  onTake,
  label = form.value,
  read,
}: {
  of: string;
  value: string;
  onTake: (text: string) => void;
  label?: string;
  read?: (typed: string) => string;
}) {
  return (
    <DraftField
      label={form.row(label, of)}
      name="value"
      value={value}
      validate={validateValue}
      {...(read ? { read } : {})}
      onChange={onTake}
    />
  );
}
