import { SelectBox } from '../../../../ui/select-box.tsx';
import { words } from '../../../../words/words.ts';
import { EntryRows, ValueField, validateValue, type RowsProps } from './entry-rows.tsx';
import { addEntry, entriesOf, operationIn, operationOf, replaceValue, readExpression } from './entries.ts';
import { accumulators } from '../../../../../shared/language/catalogue/accumulators.ts';
import { DraftField } from './draft-field.tsx';

const { form } = words.stages;

const directions = [
  { id: '1', text: form.ascending },
  { id: '-1', text: form.descending },
];

function SortRows(props: RowsProps) {
  return (
    <EntryRows
      {...props}
      add={form.addSort}
      newValue={{ key: 'timestamp', value: '-1' }}
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

type FieldMode = 'keep' | 'drop' | 'compute';
const fieldModes: { id: FieldMode; text: string }[] = [
  { id: 'keep', text: form.keeps },
  { id: 'drop', text: form.drops },
  { id: 'compute', text: form.computes },
];
const fieldModeOf = (value: string): FieldMode =>
  /^(?:1|true)$/.test(value) ? 'keep' : /^(?:0|false)$/.test(value) ? 'drop' : 'compute';

function ProjectRows(props: RowsProps) {
  return (
    <EntryRows
      {...props}
      add={form.addField}
      newValue={{ key: 'field', value: '1' }}
      render={({ key, value }, write) => {
        const keeping = fieldModeOf(value);
        return (
          <>
            <SelectBox
              label={form.row(form.keep, key)}
              value={keeping}
              options={fieldModes}
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
/** An operand for an operator, as close as possible to the previous one. */
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
      newValue={{ key: 'field', value: '0' }}
      render={({ key, value }, write) => {
        const operation = operationIn(value);
        const isOperator = operation !== null && comparisons.some(({ id }) => id === operation.operator);
        const operator = isOperator ? operation.operator : '';
        const operand = isOperator ? operation.operand : value;
        return (
          <>
            <SelectBox
              label={form.row(form.operator, key)}
              value={operator}
              options={comparisons}
              onChange={(next) => write(operationOf(next, operandFor(next, operand)))}
            />
            <ValueField of={key} value={operand} onTake={(text) => write(operationOf(operator, text))} />
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
          <span className="stage-label small quiet">{form.group}</span>
          <DraftField
            label={form.group}
            name="group"
            value={by}
            placeholder={form.groupHint}
            read={readExpression}
            validate={validateValue}
            onChange={(text) => onChange(at < 0 ? addEntry(body, '_id', text) : replaceValue(body, at, text))}
          />
        </div>
      </div>
      <EntryRows
        {...props}
        excludedKeys="_id"
        pathLabel={form.name}
        add={form.addAccumulator}
        newValue={{ key: 'count', value: '{ $sum: 1 }' }}
        render={({ key, value }, write) => {
          const operation = operationIn(value);
          if (!operation || !accumulators.has(operation.operator))
            return <ValueField of={key} value={value} onTake={write} />;
          return (
            <>
              <SelectBox
                label={form.row(form.accumulator, key)}
                value={operation.operator}
                options={accumulatorChoices}
                onChange={(operator) => write(operationOf(operator, operation.operand))}
              />
              <ValueField
                of={key}
                label={form.of}
                read={readExpression}
                value={operation.operand}
                onTake={(text) => write(operationOf(operation.operator, text))}
              />
            </>
          );
        }}
      />
    </>
  );
}

/** The stages that have a form. */
export const stagesWithForm: ReadonlySet<string> = new Set([
  '$match',
  '$sort',
  '$limit',
  '$group',
  '$project',
]);

interface StageFormProps {
  readonly operator: string;
  /** The operator's body. */
  readonly body: string;
  readonly onChange: (body: string) => void;
}

/** A stage as a form. Each change edits only its own characters of the text. */
export function StageForm({ operator, body, onChange }: StageFormProps) {
  if (operator === '$limit')
    return (
      <div className="stage-rows">
        <div className="stage-row">
          <span className="stage-label small quiet">{form.limit}</span>
          <DraftField
            label={form.limit}
            name="limit"
            value={body}
            validate={(text) => (/^\s*[1-9]\d*\s*$/.test(text) ? null : form.limitBad)}
            onChange={onChange}
            numeric
          />
        </div>
      </div>
    );
  const entries = entriesOf(body);
  if (!entries) return <p className="stage-note">{words.stages.formCant}</p>;
  const rows = { body, entries, onChange };
  if (operator === '$sort') return <SortRows {...rows} />;
  if (operator === '$group') return <GroupRows {...rows} />;
  return operator === '$project' ? <ProjectRows {...rows} /> : <MatchRows {...rows} />;
}
