import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { accumulators } from '../../../../shared/language/catalogue/accumulators.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectBox } from '../../../ui/select-box.tsx';
import { words } from '../../../words/words.ts';
import { DraftField } from './draft-field.tsx';
import {
  added,
  dropped,
  entriesOf,
  freeName,
  isValue,
  operationIn,
  renamed,
  revalued,
  type FormEntry,
} from './entries.ts';

const { form } = words.stages;

/** The stages that there is a form for. */
export const stagesWithForm: ReadonlySet<string> = new Set([
  '$match',
  '$sort',
  '$limit',
  '$group',
  '$project',
]);

export interface StageFormProps {
  readonly operator: string;
  /** What stands behind the operator. */
  readonly body: string;
  readonly onChange: (body: string) => void;
}

/** A stage as a form: each change changes these characters of its text, and no other. */
export function StageForm({ operator, body, onChange }: StageFormProps) {
  if (operator === '$limit')
    return (
      <div className="stage-rows">
        <label className="stage-row">
          <span className="field-label">{form.limit}</span>
          <DraftField
            label={form.limit}
            name="limit"
            value={body}
            judge={(text) => (/^\s*[1-9]\d*\s*$/.test(text) ? null : form.limitBad)}
            onTake={onChange}
            numeric
          />
        </label>
      </div>
    );
  const entries = entriesOf(body);
  if (!entries) return <p className="scope-note">{words.stages.formCant}</p>;
  const rows = { body, entries, onChange };
  if (operator === '$sort') return <SortRows {...rows} />;
  if (operator === '$group') return <GroupRows {...rows} />;
  return operator === '$project' ? <ProjectRows {...rows} /> : <MatchRows {...rows} />;
}

interface RowsProps {
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
function EntryRows(props: EntryRowsProps) {
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

const judgeValue = (text: string) => (isValue(text) ? null : form.badValue);

function ValueField({
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

const directions = [
  { id: '1', text: form.ascending },
  { id: '-1', text: form.descending },
];

function SortRows(props: RowsProps) {
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

const comparisons = [
  { id: '', text: '=' },
  { id: '$ne', text: '≠' },
  { id: '$gt', text: '>' },
  { id: '$gte', text: '≥' },
  { id: '$lt', text: '<' },
  { id: '$lte', text: '≤' },
  { id: '$in', text: 'in' },
  { id: '$nin', text: 'not in' },
  { id: '$exists', text: 'exists' },
];
const written = (operator: string, operand: string) =>
  operator === '' ? operand : `{ ${operator}: ${operand} }`;
/** What an operator can be given, as near as can be to what the one before was given. */
function operandFor(operator: string, operand: string): string {
  const isList = operator === '$in' || operator === '$nin';
  if (operator === '$exists') return operand === 'false' ? 'false' : 'true';
  return isList && !operand.startsWith('[') ? `[${operand}]` : operand;
}

function MatchRows(props: RowsProps) {
  return (
    <EntryRows
      {...props}
      add={form.addCondition}
      fresh={{ key: 'field', value: '0' }}
      render={({ key, value }, write) => {
        const found = operationIn(value);
        const known = found !== null && comparisons.some(({ id }) => id === found.operator);
        const operator = known ? found.operator : '';
        const operand = known ? found.operand : value;
        return (
          <>
            <SelectBox
              label={form.row(form.operator, key)}
              value={operator}
              options={comparisons}
              onChange={(next) => write(written(next, operandFor(next, operand)))}
            />
            <ValueField of={key} value={operand} onTake={(text) => write(written(operator, text))} />
          </>
        );
      }}
    />
  );
}

const accumulatorChoices = [...accumulators.keys()].map((id) => ({ id, text: id }));

function GroupRows(props: RowsProps) {
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
                onChange={(operator) => write(written(operator, found.operand))}
              />
              <ValueField
                of={key}
                label={form.of}
                value={found.operand}
                onTake={(text) => write(written(found.operator, text))}
              />
            </>
          );
        }}
      />
    </>
  );
}

type Keeping = 'keep' | 'drop' | 'compute';
const keepings: { id: Keeping; text: string }[] = [
  { id: 'keep', text: form.keeps },
  { id: 'drop', text: form.drops },
  { id: 'compute', text: form.computes },
];
const keepingOf = (value: string): Keeping =>
  /^(?:1|true)$/.test(value) ? 'keep' : /^(?:0|false)$/.test(value) ? 'drop' : 'compute';

function ProjectRows(props: RowsProps) {
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
