import { SelectBox } from '../../../../ui/select-box.tsx';
import { words } from '../../../../words/words.ts';
import { EntryRows, ValueField, type RowsProps } from './entry-rows.tsx';

const { form } = words.stages;

type Keeping = 'keep' | 'drop' | 'compute';
const keepings: { id: Keeping; text: string }[] = [
  { id: 'keep', text: form.keeps },
  { id: 'drop', text: form.drops },
  { id: 'compute', text: form.computes },
];
const keepingOf = (value: string): Keeping =>
  /^(?:1|true)$/.test(value) ? 'keep' : /^(?:0|false)$/.test(value) ? 'drop' : 'compute';

/** The fields that a $project keeps, drops or works out. */
export function ProjectRows(props: RowsProps) {
  return (
    <EntryRows
      {...props}
      add={form.addField}
      fresh={{ key: 'field', value: '1' }}
      render={({ key, value }, write) => {
        const keeping = keepingOf(value);
        return (
          <>
            <SelectBox
              label={form.row(form.keep, key)}
              value={keeping}
              options={keepings}
              onChange={(next) => write(next === 'keep' ? '1' : next === 'drop' ? '0' : `"$${key}"`)}
            />
            {keeping === 'compute' && (
              <ValueField of={key} label={form.expression} value={value} onTake={write} />
            )}
          </>
        );
      }}
    />
  );
}
