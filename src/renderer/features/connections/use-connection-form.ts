import { useState } from 'react';
import type { Connection, ConnectionOrDraft } from '../../../shared/connections/connections.ts';
import type { AppError, ErrorCode } from '../../../shared/errors/errors.ts';
import { issuesOf, problemsByField, type Problems } from '../../state/problems.ts';
import { useTask } from '../../state/use-task.ts';
import { useApp } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { draftField, emptyDraft, inputsOf, subjectFrom, type DraftField, type DraftInputs } from './draft.ts';

/** What the form of a connection holds and does: a new one, or one that there is. */
export function useConnectionForm(connection: Connection | undefined) {
  const { add, change, test } = useApp().connections.actions;
  const doctor = useApp().doctor.actions;
  const [inputs, setInputs] = useState<DraftInputs>(() => (connection ? inputsOf(connection) : emptyDraft));
  const [problems, setProblems] = useState<Problems<DraftField>>({});
  const place = connection?.id ?? 'new';
  const keeping = useTask(async (subject: ConnectionOrDraft, signal) => {
    if ('draft' in subject) await add(subject.draft, signal);
    else if ('change' in subject) await change(subject.change, signal);
    doctor.closeFor(place);
  });
  const testing = useTask(test);

  /** What the form says, if nothing is wrong with it. */
  function subject(): ConnectionOrDraft | null {
    const made = subjectFrom(connection, inputs, words.connection.secretNeeded);
    setProblems(made.ok ? {} : made.problems);
    return made.ok ? made.value : null;
  }

  /** Does something with what the form says, in the place of what was done with it before. */
  function send(act: (subject: ConnectionOrDraft) => void): void {
    const found = subject();
    keeping.reset();
    testing.reset();
    if (found) act(found);
  }

  function type(typed: Partial<DraftInputs>): void {
    setInputs({ ...inputs, ...typed });
    const isLeft = ([field]: [string, unknown]) => !(field in typed || (field === 'caFile' && 'ca' in typed));
    setProblems(Object.fromEntries(Object.entries(problems).filter(isLeft)));
    keeping.reset();
    testing.reset();
  }

  const error = keeping.error ?? testing.error;
  const isSwapped = error?.is('addresses_swapped') || testing.value?.data.code === 'addresses_swapped';
  const told = fieldProblems(error, inputs.method);
  return {
    inputs,
    place,
    keeping: keeping.isRunning,
    testing: testing.isRunning,
    check: testing.value,
    /** Whether a service was asked, did not accept the key or did not answer, and all of it can be saved as it is. */
    canSaveAnyway: keeping.error !== null && canSave(keeping.error, inputs.method),
    isSwapped,
    swap: () => type({ dataUrl: inputs.platformUrl, platformUrl: inputs.dataUrl }),
    /** What belongs to no field. */
    error: error && (error.is('invalid_input') && told.otherIssues.length === 0 ? null : error),
    problem: (field: DraftField): string | undefined => (problems[field] ?? told.problems[field])?.message,
    type,
    keep: () => send((subject) => void keeping.start(subject)),
    saveAnyway: () => send((subject) => void keeping.start(anyway(subject))),
    test: () => send((subject) => void testing.start(subject)),
    /** What failed stays in view: so does what can be done about it. */
    diagnose(): void {
      const found = subject();
      if (found) void doctor.look({ of: place, name: inputs.name.trim(), subject: found });
    },
  };
}

const anyway = (subject: ConnectionOrDraft): ConnectionOrDraft => {
  if ('draft' in subject) return { draft: { ...subject.draft, saveAnyway: true } };
  return 'change' in subject ? { change: { ...subject.change, saveAnyway: true } } : subject;
};

/** What a service, or the way to it, can be the cause of. */
const ofServices: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'not_authenticated',
  'addresses_swapped',
  'not_found',
  'refused',
  'too_many_requests',
  'service_failed',
  'bad_answer',
  'unreachable',
  'timed_out',
]);

/** A key is saved as it is; a login only where it succeeded and what failed is the data service. */
function canSave(error: AppError, method: Connection['method']): boolean {
  if (!ofServices.has(error.code)) return false;
  return method === 'api_key' || ('service' in error.details && error.details.service === 'data');
}

function fieldProblems(error: AppError | null, method: Connection['method']) {
  if (error?.is('file_unsuitable') && error.details.wanted === 'certificates')
    return { problems: { caFile: { message: error.message } } as Problems<DraftField>, otherIssues: [] };
  return problemsByField(error ? issuesOf(error) : [], (path) => draftField(path, method));
}
