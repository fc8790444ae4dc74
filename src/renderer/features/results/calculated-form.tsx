import { useMemo, useState, type RefObject, useLayoutEffect, useRef } from 'react';
import { Form } from 'react-aria-components/Form';
import {
  calculatedColumn,
  maxCalculated,
  type CalculatedColumn,
} from '../../../shared/calculated/calculated.ts';
import {
  readyColumns,
  scopeOf,
  compileExpression,
  type Remark,
  type Scope,
  namesOfField,
  calculationFunctions,
} from '../../../shared/calculated/compile.ts';
import { unitText } from '../../../shared/calculated/values.ts';
import { ExpressionError } from '../../../shared/calculated/parse.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { Button } from '../../ui/button.tsx';
import { PopupAt } from '../../ui/popup.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { calculatedWords as w } from '../../words/results.ts';
import { words } from '../../words/words.ts';
import { useTab, useTabState } from '../../contexts.ts';
import { noSynonyms } from '../../../shared/channels/channels.ts';
import { fieldSearch } from '../datasets/field-options.ts';
import { calculationOf } from './calculated-columns.ts';
import { useStore } from 'zustand';
import type { Result } from './results.ts';
import { useShape } from './use-records.ts';
import { ComboBox } from 'react-aria-components/ComboBox';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ComboParts, type ComboOption } from '../../ui/combo-box.tsx';

const maxProposals = 12;
const plainName = /^[\p{L}_][\p{L}\p{N}_.]*$/u;
const wordBefore = /[\p{L}_][\p{L}\p{N}_.]*$/u;

/** The start of the word before a place; the place itself if there is none. */
export const wordStart = (text: string, at: number): number =>
  wordBefore.exec(text.slice(0, at))?.index ?? at;

const written = (name: string): string => (plainName.test(name) ? name : `"${name}"`);

const noted = (note: string | null | undefined) => (note === null || note === undefined ? {} : { note });

/** The columns and functions of an expression: each column by its short name, if that is the name of one. */
export function expressionWords({ fields, columns }: Scope): readonly ComboOption[] {
  const numeric = fields.filter(({ values }) => values !== 'other');
  const shortNameOf = (field: (typeof fields)[number]) => namesOfField(field).at(-1) ?? field.id;
  const shortNames = fields.map(shortNameOf);
  return [
    ...[...columns].map(([name, { measure }]) => ({
      id: written(name),
      text: name,
      ...noted(unitText(measure)),
    })),
    ...numeric.map((field) => {
      const short = shortNameOf(field);
      const name = shortNames.filter((other) => other === short).length === 1 ? short : field.id;
      return { id: written(name), text: name, ...noted(field.unit) };
    }),
    ...Object.entries(calculationFunctions).map(([name, { help }]) => ({
      id: `${name}(`,
      text: name,
      // The help is an example and its meaning, perhaps with another example.
      ...noted(help.split(/: |; /)[1]),
    })),
  ];
}

/** The words that fit what is typed before a place: first those that begin with it. */
export function proposalsAt(text: string, at: number, words: readonly ComboOption[]): readonly ComboOption[] {
  const typed = text.slice(wordStart(text, at), at).toLowerCase();
  if (typed === '') return [];
  const matches = fieldSearch(typed, noSynonyms);
  const fitting = words.filter(({ id, text: word }) => matches(word) && id.toLowerCase() !== typed);
  const isFirst = ({ text: word }: ComboOption) => word.toLowerCase().startsWith(typed);
  return [...fitting.filter(isFirst), ...fitting.filter((word) => !isFirst(word))].slice(0, maxProposals);
}

interface ExpressionFieldProps {
  readonly value: string;
  readonly scope: Scope;
  readonly onChange: (value: string) => void;
  /** What is wrong with the value; undefined: nothing. */
  readonly problem: string | undefined;
  readonly note: string | undefined;
}

export function ExpressionField({ value, scope, onChange, problem, note }: ExpressionFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [caret, setCaret] = useState(value.length);
  /** Where the caret goes once an accepted word is in the text. */
  const nextCaret = useRef<number | null>(null);
  const names = useMemo(() => expressionWords(scope), [scope]);
  const proposals = useMemo(() => proposalsAt(value, caret, names), [value, caret, names]);
  useLayoutEffect(() => {
    if (nextCaret.current === null) return;
    input.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  });
  const accept = (word: string) => {
    const start = wordStart(value, caret);
    nextCaret.current = start + word.length;
    setCaret(nextCaret.current);
    onChange(value.slice(0, start) + word + value.slice(caret));
  };
  return (
    <ComboBox
      className="field"
      items={proposals}
      inputValue={value}
      onInputChange={(text) => {
        setCaret(input.current?.selectionStart ?? text.length);
        onChange(text);
      }}
      selectedKey={null}
      onSelectionChange={(key) => {
        if (key !== null) accept(String(key));
      }}
      allowsCustomValue
      menuTrigger="input"
      isInvalid={problem !== undefined}
      validationBehavior="aria"
      // oxlint-disable-next-line no-autofocus -- the main field of a popup
      autoFocus
    >
      <Label className="field-label">{w.expression}</Label>
      <Input
        ref={input}
        className="input mono"
        name="expression"
        placeholder={w.example}
        spellCheck={false}
        autoComplete="off"
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
      />
      <ComboParts note={note} problem={problem} isMono />
    </ComboBox>
  );
}

interface CalculatedFormProps {
  readonly result: Result;
  /** The name of the column to edit; null: a new one. */
  readonly of: string | null;
  /** The first text of a new column. */
  readonly start: string;
  readonly at: RefObject<Element | null>;
  readonly onClose: () => void;
}

interface Checked {
  /** Null: none, or unknown. */
  readonly unit: string | null;
  readonly remarks: readonly string[];
  readonly needsRowsBefore: boolean;
  /** Undefined: nothing is wrong. */
  readonly problem: string | undefined;
}

/** The names of all columns, and what the expression at a place among the calculated ones can name; -1: after them. */
function useNames(result: Result, place: number) {
  const { calculated, dataset } = useTab('results');
  const columns = useStore(calculated.store, (state) => state.columns);
  const { columns: heads } = useShape(result.held);
  const units = useTabState('results', (state) => state.units);
  // A summary has no calculated columns, but the tab keeps them.
  const taken = useMemo(
    () => new Set([...heads.map(({ path }) => path), ...columns.map(({ name }) => [name])].map(pathId)),
    [heads, columns],
  );
  const scope = useMemo(() => {
    const calculation = calculationOf(heads, columns, { units, type: dataset.type, sorts: new Map() });
    const before = columns.slice(0, place === -1 ? columns.length : place);
    return scopeOf(calculation, readyColumns({ ...calculation, columns: before }));
  }, [heads, columns, place, units, dataset]);
  return { taken, scope };
}

export default function CalculatedForm({ result, of, start, at, onClose }: CalculatedFormProps) {
  const { calculated } = useTab('results');
  const columns = useStore(calculated.store, (state) => state.columns);
  const place = columns.findIndex(({ name }) => name === of);
  const current = columns[place];
  const { taken, scope } = useNames(result, place);
  const [expression, setExpression] = useState(current?.expression ?? start);
  const [name, setName] = useState(() => current?.name ?? freeName(taken));
  const [unit, setUnit] = useState(current?.unit ?? '');
  const checked = useMemo((): Checked => check(expression, scope), [expression, scope]);
  const parsed = calculatedColumn.safeParse({ name, expression, ...(unit.trim() === '' ? {} : { unit }) });
  const isTaken = name.trim() !== of && taken.has(pathId([name.trim()]));
  const nameProblem = isTaken
    ? w.taken
    : parsed.error?.issues.find(({ path: [first] }) => first === 'name')?.message;
  const isFull = of === null && columns.length >= maxCalculated;
  const isReady = parsed.success && !isTaken && checked.problem === undefined && !isFull;
  const set = (next: readonly CalculatedColumn[]) => {
    void calculated.actions.set(next);
    onClose();
  };
  return (
    <PopupAt at={at} isWide heading={of === null ? w.add : w.edit(of)} placement="bottom" onClose={onClose}>
      <Form
        className="stack gap-2"
        data-help="ask.md"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReady) return;
          const column = parsed.data;
          set(
            of === null ? [...columns, column] : columns.map((other) => (other.name === of ? column : other)),
          );
        }}
      >
        <ExpressionField
          value={expression}
          scope={scope}
          onChange={setExpression}
          problem={isFull ? w.full(maxCalculated) : expression.trim() === '' ? undefined : checked.problem}
          note={checked.remarks.length > 0 ? checked.remarks.join(' ') : undefined}
        />
        <TextField label={w.name} name="name" value={name} onChange={setName} problem={nameProblem} />
        <TextField
          label={w.unit}
          name="unit"
          value={unit}
          placeholder={checked.unit ?? w.noUnit}
          onChange={setUnit}
          note={expression.trim() === '' || checked.problem ? undefined : w.unitNote(checked.unit)}
        />
        {checked.needsRowsBefore && <p className="field-note">{w.partial}</p>}
        <div className="row wrap">
          <Button type="submit" variant="primary" isDisabled={!isReady}>
            {of === null ? w.addColumn : w.save}
          </Button>
          {of !== null && (
            <Button onPress={() => set(columns.filter((other) => other.name !== of))}>{w.remove}</Button>
          )}
          <Button variant="quiet" onPress={onClose}>
            {words.cancel}
          </Button>
        </div>
      </Form>
    </PopupAt>
  );
}

function freeName(taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) if (!taken.has(w.unnamed(number))) return w.unnamed(number);
}

function check(expression: string, scope: Parameters<typeof compileExpression>[1]): Checked {
  const remarks: Remark[] = [];
  try {
    const { measure, firstInReach } = compileExpression(expression, scope, (remark) => remarks.push(remark));
    return {
      unit: unitText(measure),
      remarks: [...new Set(remarks.map(({ message }) => message))],
      needsRowsBefore: firstInReach !== null,
      problem: undefined,
    };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { from, to, message } = error;
    const isShown = to > from && to - from < expression.trim().length;
    const place = isShown
      ? ` ${w.place(expression.slice(0, from), expression.slice(from, to), expression.slice(to))}`
      : '';
    return { unit: null, remarks: [], needsRowsBefore: false, problem: message + place };
  }
}
