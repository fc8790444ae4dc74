import { useMemo, useState } from 'react';
import { Form } from '../../../ui/form.tsx';
import { hasDatesAsText, type DatasetField } from '../../../../shared/datasets/fields.ts';
import {
  isParameter,
  writeFilter,
  type Filter,
  type FilterOperator,
} from '../../../../shared/language/text/filters.ts';
import { exampleDate, timeLike } from '../../../../shared/language/literals.ts';
import { writeList, type ListOf } from '../../../../shared/value-lists.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckBox } from '../../../ui/check-box.tsx';
import { ComboBox, type ComboOption } from '../../../ui/combo-box.tsx';
import { ListField } from '../../../ui/list-field.tsx';
import { SelectField } from '../../../ui/select-box.tsx';
import { inputText } from '../../../format/numbers.ts';
import { words } from '../../../words/words.ts';
import { useTab } from '../../../contexts.ts';
import { wordSearch } from '../../../../shared/word-search.ts';
import { useSynonyms } from '../../settings/use-synonyms.ts';
import { fieldOptions, matchingFields } from '../../datasets/field-options.ts';
import { useFieldNames } from '../../datasets/use-field-names.ts';
import { useResultsZone } from '../../results/times/use-well-zones.ts';
import { useKnowledge } from '../editing/knowledge.ts';
import { useLoaded } from '../../../state/resource.ts';
import {
  fieldsWithValues,
  filterValueText,
  hasTexts,
  isBackwards,
  listedValues,
  listKindOf,
  operatorsOf,
  problemOf,
  proposedValues,
  readFilterValues,
  takesNulls,
} from './filter-values.ts';

const w = words.query.filter;

interface FilterFormProps {
  /** Null: a new one. */
  readonly filter: Filter | null;
  /** Paths that have pickers of their own. */
  readonly picked: readonly string[];
  readonly onDone: () => void;
}

export function FilterForm({ filter, picked, onDone }: FilterFormProps) {
  const { actions, dataset, results } = useTab('query');
  const zone = useResultsZone(results) ?? 'UTC';
  const names = useFieldNames(dataset);
  const { fields } = useKnowledge().base;
  const [path, setPath] = useState(filter?.path ?? null);
  const [operator, setOperator] = useState<FilterOperator>(filter?.operator ?? 'is');
  const [typed, setTyped] = useState<readonly string[]>(filter?.values.map(filterValueText) ?? []);
  const [problem, setProblem] = useState<string>();
  const options = useMemo(
    () => fieldOptions(fieldsWithValues(fields, picked), names),
    [fields, picked, names],
  );
  const field = fields.find((field) => field.path === path);
  const type = (values: readonly string[]) => {
    setTyped(values);
    setProblem(undefined);
  };
  const synonyms = useSynonyms();
  const selectField = (next: string) => {
    setPath(next);
    type([]);
    if (!operatorsOf(fields.find(({ path }) => path === next)).includes(operator)) setOperator('is');
  };
  const submit = () => {
    if (path === null) return setProblem(w.noField);
    const values = readFilterValues(operator, typed, field, path === filter?.path ? filter.values : [], zone);
    if (!values) return setProblem(problemOf(operator, typed, field));
    if (operator === 'between' && isBackwards(values)) return setProblem(words.query.range.backwards);
    const edit = (text: string) => writeFilter(text, { path, operator, values }, takesNulls(operator, field));
    return actions.change(edit) ? onDone() : setProblem(w.notWritten);
  };
  return (
    <Form className="stack" onSubmit={submit}>
      <ComboBox
        label={w.field}
        value={path}
        text={path === null ? '' : names(path).line}
        find={(text) => matchingFields(options, text, synonyms)}
        emptyText={w.noFields}
        hasInitialFocus={filter === null}
        problem={path === null ? problem : undefined}
        onSelect={selectField}
      />
      <SelectField
        label={w.operator}
        value={operator}
        options={operatorsOf(field).map((id) => ({ id, text: w.operators[id] }))}
        onChange={(next) => {
          setOperator(next);
          setProblem(undefined);
        }}
      />
      <ValueInputs
        key={path}
        field={field}
        operator={operator}
        typed={typed}
        zone={zone}
        problem={path === null ? undefined : problem}
        onType={type}
      />
      <div className="row">
        <Button type="submit" variant="primary">
          {w.apply}
        </Button>
      </div>
    </Form>
  );
}

interface ValueInputsProps {
  readonly field: DatasetField | undefined;
  readonly operator: FilterOperator;
  readonly typed: readonly string[];
  /** The time zone of typed dates without one. */
  readonly zone: string;
  readonly problem: string | undefined;
  readonly onType: (values: readonly string[]) => void;
}

/** Values to propose for a field: those of sampled records, and once they are loaded, those that the service counts. */
function useProposals(field: DatasetField | undefined, isAsked: boolean) {
  const { actions } = useTab('query');
  const path = isAsked && field && hasTexts(field) ? field.path : null;
  const counts = useLoaded(
    useMemo(
      () => (path === null ? null : (signal: AbortSignal) => actions.findValues(path, signal)),
      [actions, path],
    ),
  );
  const sampled = proposedValues(field);
  if (counts.status === 'loaded' && counts.value.values.length > 0) {
    const { values, hasMore } = counts.value;
    const options = values.map(({ value, records }) => ({
      id: value,
      text: value,
      note: w.records(records),
    }));
    return { options, note: hasMore ? w.usualNumber : w.counted, hasAll: !hasMore };
  }
  const options = sampled.map((value): ComboOption => ({ id: value, text: value }));
  const sampledNote = field?.values?.length ? w.sampled : undefined;
  if (counts.status === 'loading') return { options, note: w.loadingValues, hasAll: false };
  const note = counts.status === 'failed' ? (sampledNote ?? w.notLoaded) : sampledNote;
  return { options, note, hasAll: false };
}

function ValueInputs({ field, operator, typed, zone, problem, onType }: ValueInputsProps) {
  const proposals = useProposals(field, operator === 'is' || operator === 'isNot' || operator === 'oneOf');
  if (operator === 'hasValue' || operator === 'hasNone') return null;
  const isConverted =
    operator !== 'contains' && hasDatesAsText(field) && timeLike(exampleDate(field), 0) !== null;
  const otherNote = isConverted ? w.zone(zone) : proposals.note;
  if (operator === 'oneOf')
    return (
      <ListInput
        proposals={proposals}
        note={otherNote}
        kind={listKindOf(field)}
        typed={typed}
        problem={problem}
        onType={onType}
      />
    );
  const note = field?.range
    ? w.range(inputText(field.range.min), inputText(field.range.max), field.unit)
    : otherNote;
  const input = (at: number, label: string) => (
    <ComboBox
      label={label}
      value={typed[at] ?? null}
      text={typed[at] ?? ''}
      find={(text) => proposals.options.filter((option) => wordSearch(text)(option.text))}
      allowsCustom
      note={note}
      problem={problem}
      onSelect={(value) => onType(at === 0 ? [value, ...typed.slice(1)] : [typed[0] ?? '', value])}
    />
  );
  if (operator === 'between')
    return (
      <div className="halves gap-2">
        {input(0, w.from)}
        {input(1, w.to)}
      </div>
    );
  return input(0, w.value);
}

interface ListInputProps extends Pick<ValueInputsProps, 'typed' | 'problem' | 'onType'> {
  readonly proposals: ReturnType<typeof useProposals>;
  readonly note: string | undefined;
  readonly kind: ListOf;
}

/** A list of values, as text and as check boxes of those that are proposed. */
function ListInput({ proposals, note, kind, typed, problem, onType }: ListInputProps) {
  const { options, hasAll } = proposals;
  const [text, setText] = useState('');
  const written = writeList(typed, kind);
  const proposed = options.map(({ id }) => id);
  return (
    <>
      <ListField
        label={w.values}
        name="values"
        // As typed, unless a check box changed the values.
        value={writeList(listedValues(text, proposed, kind), kind) === written ? text : written}
        kind={kind}
        note={kind === 'decimals' ? w.semicolons : w.commas}
        problem={problem}
        notFound={
          hasAll
            ? typed.filter((value) => !isParameter(value) && !options.some(({ id }) => id === value))
            : []
        }
        onChange={(next) => {
          setText(next);
          onType(listedValues(next, proposed, kind));
        }}
      />
      {options.length > 0 && (
        <fieldset className="filter-values stack gap-0 scroll" aria-label={w.offered}>
          {options.map(({ id, text: label, note: records }) => (
            <CheckBox
              key={id}
              label={label}
              {...(records === undefined ? {} : { note: records })}
              checked={typed.includes(id)}
              onChange={(isChecked) =>
                onType(isChecked ? [...typed, id] : typed.filter((value) => value !== id))
              }
            />
          ))}
        </fieldset>
      )}
      {note && <p className="field-note">{note}</p>}
    </>
  );
}
