import { SelectBox } from '../../../../ui/select-box.tsx';
import { words } from '../../../../words/words.ts';
import { EntryRows, ValueField, type RowsProps } from './entry-rows.tsx';

const { form } = words.stages;

const directions = [
  { id: '1', text: form.ascending },
  { id: '-1', text: form.descending },
];

/** The fields of a $sort. */
export function SortRows(props: RowsProps) {
  return (
    <EntryRows
      {...props}
      add={form.addSort}
      fresh={{ key: 'timestamp', value: '-1' }}
      render={({ key, value }, write) =>
        value === '1' || value === '-1' ? (
          <SelectBox
            label={form.row(form.direction, key)}
            value={value}
            options={directions}
            onChange={write}
          />
        ) : (
          <ValueField of={key} value={value} onTake={write} />
        )
      }
    />
  );
}
