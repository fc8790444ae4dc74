import { useState } from 'react';
import type { AppError } from '../../shared/errors/errors.ts';
import { issuesOf, type problemsByField, type Problem, type Problems } from './problems.ts';
import { useTask } from './latest-task.ts';

/** What the inputs of a form mean, or the problem of each field. */
export type Checked<Value, Field extends string> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: Problems<Field> };

type FieldIssues<Field extends string> = ReturnType<typeof problemsByField<Field>>;

interface FormOptions<Inputs, Value, Field extends string> {
  readonly initial: () => Inputs;
  readonly check: (inputs: Inputs) => Checked<Value, Field>;
  /** The issues of a failed action by field. */
  readonly issuesIn?: (error: AppError, inputs: Inputs) => FieldIssues<Field>;
  /** Whether a problem stays when other fields change. */
  readonly keepsProblems?: boolean;
}

/** What fields need of a form. */
export type FormFields<Inputs extends object, Field extends string> = Pick<
  ReturnType<typeof useForm<Inputs, unknown, Field, unknown>>,
  'inputs' | 'set' | 'problem' | 'field'
>;

/**
 * The inputs of a form, their problems, and the action that was started with them last. A change of the inputs drops the
 * result of that action.
 */
export function useForm<Inputs extends object, Value, Field extends string, Result = void>({
  initial,
  check,
  issuesIn = (error) => ({ problems: {}, otherIssues: [...issuesOf(error)] }),
  keepsProblems = false,
}: FormOptions<Inputs, Value, Field>) {
  const [inputs, setInputs] = useState(initial);
  const [problems, setProblems] = useState<Partial<Record<string, Problem>>>({});
  const [invalidSubmits, setInvalidSubmits] = useState(0);
  const [action, setAction] = useState<string | null>(null);
  const task = useTask((call: (signal: AbortSignal) => Promise<Result>, signal) => call(signal));
  const { error: failure, isRunning } = task;

  const issues: FieldIssues<Field> = failure ? issuesIn(failure, inputs) : { problems: {}, otherIssues: [] };
  const isAtField = failure?.is('invalid_input') || Object.keys(issues.problems).length > 0;
  /** What is wrong with a field, by the check or the last action; undefined: nothing. */
  const problem = (field: Field): string | undefined => (problems[field] ?? issues.problems[field])?.message;

  /** The value of the inputs; null: they are invalid, and the fields say why. */
  function checked(): Value | null {
    const result = check(inputs);
    setProblems(result.ok ? {} : result.problems);
    return result.ok ? result.value : null;
  }
  // Other inputs may change meanwhile, such as by a file that arrives while the user types.
  function onChange(changed: readonly string[], next: (before: Inputs) => Inputs): void {
    const stays = ([field]: [string, unknown]) => keepsProblems && !changed.includes(field);
    setInputs(next);
    setInvalidSubmits(0);
    setProblems((before) => Object.fromEntries(Object.entries(before).filter(stays)));
    task.reset();
  }

  return {
    inputs,
    problem,
    checked,
    set: (change: Partial<Inputs>) => onChange(Object.keys(change), (before) => ({ ...before, ...change })),
    field: <Name extends Field & keyof Inputs & string>(name: Name) => ({
      name,
      value: String(inputs[name]),
      onChange: (text: string) => onChange([name], (before) => ({ ...before, [name]: text })),
      problem: problem(name),
    }),
    /** The last action; null: none. */
    action,
    isRunning,
    result: task.value,
    failure,
    /** Differs each time that something is to be corrected; null: nothing is. */
    correction: failure ?? (invalidSubmits > 0 ? invalidSubmits : null),
    /** Why the last action failed, unless fields say all of it. */
    error: failure && isAtField && issues.otherIssues.length === 0 ? null : failure,
    /** Starts an action with the value of the inputs, if they are valid. */
    run(name: string, call: (value: Value, signal: AbortSignal) => Promise<Result>): void {
      const value = checked();
      task.reset();
      if (value === null) return setInvalidSubmits((before) => before + 1);
      setAction(name);
      void task.start((signal) => call(value, signal));
    },
  };
}
