import { SelectBox } from '../../../../ui/select-box.tsx';
import { words } from '../../../../words/words.ts';
import { accumulators } from '../../../../../shared/language/catalogue/accumulators.ts';
import { Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { TextField } from '../../../../ui/text-field.tsx';
import { tryRelaxed } from '../../../../../shared/language/relaxed.ts';
import { nameOf } from '../../../../../shared/language/scope.ts';
import { appendItem, removeItem, replaceSpan } from '../../../../../shared/language/text/edits.ts';
import { objectOutlineOf, textOf } from '../../../../../shared/language/text/outline.ts';

/** An entry of a stage's object. */
interface FormEntry {
  readonly key: string;
  readonly value: string;
}

/** The entries of a stage's body; null: not an object that a form can show. */
function entriesOf(body: string): FormEntry[] | null {
  const object = objectOutlineOf(body);
  if (!object) return null;
  return object.items.map(({ key, value }) => ({ key, value: textOf(body, value) }));
}

/** Whether a text is a valid value; it may contain parameters. */
export function isValue(text: string): boolean {
  return tryRelaxed(text.replaceAll(/\{\{[^{}\r\n]*\}\}/g, '0')) !== undefined;
}

/** Words that are values. */
const literals = new Set(['true', 'false', 'null', 'Infinity', 'NaN']);

/**
 * An expression as typed: the bare name of a field means its values, as in the text of a stage with its `$`.
 * @param typed such as `data.rop`
 * @returns such as `"$data.rop"`
 */
export function readExpression(typed: string): string {
  const text = typed.trim();
  return /^[A-Za-z_]\w*(?:\.\w+)*$/.test(text) && !literals.has(text) ? `"$${text}"` : text;
}

// Each function edits only the characters of its entry. A body that isn't an object stays as it is.

function renameEntry(body: string, at: number, key: string): string {
  const entry = objectOutlineOf(body)?.items[at];
  return entry ? replaceSpan(body, entry.name, nameOf(key)) : body;
}

function replaceValue(body: string, at: number, value: string): string {
  const entry = objectOutlineOf(body)?.items[at];
  return entry ? replaceSpan(body, entry.value, value) : body;
}

function removeEntry(body: string, at: number): string {
  const object = objectOutlineOf(body);
  return object ? removeItem(body, object, at) : body;
}

function addEntry(body: string, key: string, value: string): string {
  const object = objectOutlineOf(body);
  return object ? appendItem(body, object, `${nameOf(key)}: ${value}`) : body;
}

/** An unused name: `field`, `field2`. */
function unusedName(entries: readonly FormEntry[], wanted: string): string {
  const usedNames = new Set(entries.map(({ key }) => key));
  let name = wanted;
  for (let number = 2; usedNames.has(name); number++) name = `${wanted}${String(number)}`;
  return name;
}

/** An operator with its operand, such as `{ $gt: 5 }`; null: the value has none, or several. */
function operationIn(value: string): { operator: string; operand: string } | null {
  const [only, ...otherEntries] = objectOutlineOf(value)?.items ?? [];
  if (!only || otherEntries.length > 0 || !only.key.startsWith('$')) return null;
  return { operator: only.key, operand: textOf(value, only.value) };
}

/** The text of an operator with its operand; without an operator, the operand. */
const operationOf = (operator: string, operand: string): string =>
  operator === '' ? operand : `{ ${operator}: ${operand} }`;

interface DraftFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  /** What a text as typed means; default: itself, trimmed. */
  readonly read?: (typed: string) => string;
  /** Validates what is read; null: valid. */
  readonly validate: (text: string) => string | null;
  readonly onChange: (text: string) => void;
  readonly placeholder?: string;
  readonly numeric?: boolean;
}

/** A field whose text applies as the user types while it is valid; otherwise it stays a draft. */
function DraftField({
  label,
  name,
  value,
  read = (typed) => typed.trim(),
  validate,
  onChange,
  placeholder,
  numeric,
}: DraftFieldProps) {
  const [draft, setDraft] = useState({ text: value, of: value });
  // The value changed elsewhere, such as in the text: the draft is outdated.
  const text = draft.of === value ? draft.text : value;
  return (
    <TextField
      label={label}
      isLabelHidden
      name={name}
      value={text}
      onChange={(typed) => {
        const taken = read(typed);
        const isFine = validate(taken) === null;
        setDraft({ text: typed, of: isFine ? taken : value });
        if (isFine) onChange(taken);
      }}
      problem={text.trim() === value ? undefined : (validate(read(text)) ?? undefined)}
      placeholder={placeholder ?? ''}
      {...(numeric ? { inputMode: 'numeric' } : {})}
      mono
      className="grow"
    />
  );
}

/** A stage whose object is shown as rows. */
interface RowsProps {
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
function EntryRows(props: EntryRowsProps) {
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
const validateValue = (text: string) => (isValue(text) ? null : form.badValue);

/** A value of a row, as it is in the text. */
function ValueField({
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
