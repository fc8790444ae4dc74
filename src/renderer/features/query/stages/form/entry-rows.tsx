import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { words } from '../../../../words/words.ts';
import { DraftField } from './draft-field.tsx';
import { added, dropped, freeName, isValue, renamed, revalued, type FormEntry } from './entries.ts';

const { form } = words.stages;

/** A stage whose object is shown as rows. */
export interface RowsProps {
  readonly body: string;
  readonly entries: readonly FormEntry[];
  readonly onChange: (body: string) => void;
}

interface EntryRowsProps extends RowsProps {
  readonly add: string;
  /** What a new entry begins as. */
  readonly fresh: FormEntry;
  /** Entries that are shown elsewhere. */
  readonly besides?: string;
  readonly pathLabel?: string;
  readonly render: (entry: FormEntry, write: (value: string) => void) => ReactNode;
}

/** A row for each entry: its name, what `render` makes of its value, and a cross. */
export function EntryRows(props: EntryRowsProps) {
  const { body, entries, onChange, add, fresh, besides, pathLabel = form.path, render } = props;
  const judgeName = (own: string) => (text: string) => {
    if (text.trim() === '') return form.nameless;
    const isTaken = text.trim() !== own && entries.some(({ key }) => key === text.trim());
    return isTaken ? form.twice : null;
  };
  return (
    <div className="stage-rows">
      {entries.map((entry, at) =>
        entry.key === besides ? null : (
          // Its place is what a row is known by: its name is what is typed in it.
          // oxlint-disable-next-line no-array-index-key -- see above
          <fieldset key={at} className="stage-row" aria-label={entry.key}>
            <DraftField
              label={form.row(pathLabel, entry.key)}
              name="path"
              value={entry.key}
              judge={judgeName(entry.key)}
              onTake={(key) => onChange(renamed(body, at, key))}
            />
            {render(entry, (value) => onChange(revalued(body, at, value)))}
            <Button
              variant="quiet"
              icon={X}
              aria-label={form.remove(entry.key)}
              onPress={() => onChange(dropped(body, at))}
            />
          </fieldset>
        ),
      )}
      <Button
        variant="quiet"
        icon={Plus}
        className="stage-add-row"
        onPress={() => onChange(added(body, freeName(entries, fresh.key), fresh.value))}
      >
        {add}
      </Button>
    </div>
  );
}

/** What is wrong with what was typed as a value; null: nothing. */
export const judgeValue = (text: string) => (isValue(text) ? null : form.badValue);

/** A value of a row, typed as it stands in the text. */
export function ValueField({
  of,
  value,
  onTake,
  label = form.value,
}: {
  of: string;
  value: string;
  onTake: (text: string) => void;
  label?: string;
}) {
  return (
    <DraftField label={form.row(label, of)} name="value" value={value} judge={judgeValue} onTake={onTake} />
  );
}
