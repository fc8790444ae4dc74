import { SelectBox } from '../../../../ui/select-box.tsx';
import { words } from '../../../../words/words.ts';
import { operationIn, operationOf } from './entries.ts';
import { EntryRows, ValueField, type RowsProps } from './entry-rows.tsx';

const { form } = words.stages;

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
/** What an operator can be given, as near as can be to what the one before was given. */
function operandFor(operator: string, operand: string): string {
  const isList = operator === '$in' || operator === '$nin';
  if (operator === '$exists') return operand === 'false' ? 'false' : 'true';
  return isList && !operand.startsWith('[') ? `[${operand}]` : operand;
}

/** The conditions of a $match. */
export function MatchRows(props: RowsProps) {
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
              onChange={(next) => write(operationOf(next, operandFor(next, operand)))}
            />
            <ValueField of={key} value={operand} onTake={(text) => write(operationOf(operator, text))} />
          </>
        );
      }}
    />
  );
}
