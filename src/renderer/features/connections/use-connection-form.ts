import { useState } from 'react';
import type { Connection, ConnectionOrDraft } from '../../../shared/connections.ts';
import type { AppError } from '../../../shared/errors.ts';
import { issuesOf, problemsByField, type Problems } from '../../state/problems.ts';
import { useTask } from '../../state/use-task.ts';
import { words } from '../../words/words.ts';
import { useConnectionsActions, useDoctorActions } from './context.ts';
import { draftField, emptyDraft, inputsOf, subjectFrom, type DraftField, type DraftInputs } from './draft.ts';

/** What the form of a connection holds and does: a new one, or one that there is. */
export function useConnectionForm(connection: Connection | undefined) {
  const { add, change, test } = useConnectionsActions();
  const doctor = useDoctorActions();
  const [inputs, setInputs] = useState<DraftInputs>(() => (connection ? inputsOf(connection) : emptyDraft));
  const [problems, setProblems] = useState<Problems<DraftField>>({});
  const keeping = useTask(async (subject: ConnectionOrDraft, signal) => {
    if ('draft' in subject) await add(subject.draft, signal);
    else if ('change' in subject) await change(subject.change, signal);
  });
  const testing = useTask(test);

  /** Does something with what the form says, if nothing is wrong with it. */
  function send(act: (subject: ConnectionOrDraft) => void): void {
    const made = subjectFrom(connection, inputs, words.connection.secretNeeded);
    setProblems(made.ok ? {} : made.problems);
    keeping.reset();
    testing.reset();
    if (made.ok) act(made.value);
  }

  const error = keeping.error ?? testing.error;
  const told = fieldProblems(error, inputs.method);
  const place = connection?.id ?? 'new';
  return {
    inputs,
    place,
    keeping: keeping.running,
    testing: testing.running,
    check: testing.value,
    /** What belongs to no field. */
    error: error && (error.is('invalid_input') && told.left.length === 0 ? null : error),
    problem: (field: DraftField): string | undefined => (problems[field] ?? told.problems[field])?.message,
    type(typed: Partial<DraftInputs>): void {
      setInputs({ ...inputs, ...typed });
      const isLeft = ([field]: [string, unknown]) =>
        !(field in typed || (field === 'caFile' && 'ca' in typed));
      setProblems(Object.fromEntries(Object.entries(problems).filter(isLeft)));
      keeping.reset();
      testing.reset();
    },
    keep: () => send((subject) => void keeping.start(subject)),
    test: () => send((subject) => void testing.start(subject)),
    diagnose: () => send((subject) => void doctor.look({ of: place, name: inputs.name.trim(), subject })),
  };
}

function fieldProblems(error: AppError | null, method: Connection['method']) {
  if (error?.is('file_unsuitable') && error.details.wanted === 'certificates')
    return { problems: { caFile: { message: error.message } } as Problems<DraftField>, left: [] };
  return problemsByField(error ? issuesOf(error) : [], (path) => draftField(path, method));
}
