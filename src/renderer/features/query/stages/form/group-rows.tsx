import { accumulators } from '../../../../../shared/language/catalogue/accumulators.ts';
import { SelectBox } from '../../../../ui/select-box.tsx';
import { words } from '../../../../words/words.ts';
import { DraftField } from './draft-field.tsx';
import { added, operationIn, operationOf, revalued } from './entries.ts';
import { EntryRows, judgeValue, ValueField, type RowsProps } from './entry-rows.tsx';

const { form } = words.stages;

const accumulatorChoices = [...accumulators.keys()].map((id) => ({ id, text: id }));

/** What a $group groups by, and what it works out. */
export function GroupRows(props: RowsProps) {
  const { body, entries, onChange } = props;
  const at = entries.findIndex(({ key }) => key === '_id');
  const by = entries[at]?.value ?? 'null';
  return (
    <>
      <div className="stage-rows">
        <div className="stage-row">
          <span className="field-label">{form.group}</span>
          <DraftField
            label={form.group}
            name="group"
            value={by}
            placeholder={form.groupHint}
            judge={judgeValue}
            onTake={(text) => onChange(at < 0 ? added(body, '_id', text) : revalued(body, at, text))}
          />
        </div>
      </div>
      <EntryRows
        {...props}
        besides="_id"
        pathLabel={form.name}
        add={form.addAccumulator}
        fresh={{ key: 'count', value: '{ $sum: 1 }' }}
        render={({ key, value }, write) => {
          const found = operationIn(value);
          if (!found || !accumulators.has(found.operator))
            return <ValueField of={key} value={value} onTake={write} />;
          return (
            <>
              <SelectBox
                label={form.row(form.accumulator, key)}
                value={found.operator}
                options={accumulatorChoices}
                onChange={(operator) => write(operationOf(operator, found.operand))}
              />
              <ValueField
                of={key}
                label={form.of}
                value={found.operand}
                onTake={(text) => write(operationOf(found.operator, text))}
              />
            </>
          );
        }}
      />
    </>
  );
}
