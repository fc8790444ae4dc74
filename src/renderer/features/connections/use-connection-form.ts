import { useState } from 'react';
import type { Connection, ConnectionOrDraft } from '../../../shared/connections/connections.ts';
import type { AppError, ErrorCode, ErrorDetails } from '../../../shared/errors/errors.ts';
import { issuesOf, problemsByField, type Problems } from '../../state/problems.ts';
import { useTask } from '../../state/use-task.ts';
import { useApp } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import {
  draftField,
  emptyDraft,
  connectionInputs,
  diagnosticsSubject,
  type DraftField,
  type DraftInputs,
} from './draft.ts';

/** The state and the actions of a connection form. */
export function useConnectionForm(connection: Connection | undefined) {
  const { add, change, test } = useApp().connections.actions;
  const diagnostics = useApp().diagnostics.actions;
  const [inputs, setInputs] = useState<DraftInputs>(() =>
    connection ? connectionInputs(connection) : emptyDraft,
  );
  const [problems, setProblems] = useState<Problems<DraftField>>({});
  const [invalidSubmits, setInvalidSubmits] = useState(0);
  const place = connection?.id ?? 'new';
  const keeping = useTask(async (subject: ConnectionOrDraft, signal) => {
    if ('draft' in subject) await add(subject.draft, signal);
    else if ('change' in subject) await change(subject.change, signal);
    diagnostics.closeFor(place);
  });
  const testing = useTask(test);

  /** The parsed inputs, if they are valid. */
  function subject(): ConnectionOrDraft | null {
    const parsed = diagnosticsSubject(connection, inputs, words.connection.secretNeeded);
    setProblems(parsed.ok ? {} : parsed.problems);
    return parsed.ok ? parsed.value : null;
  }

  /** Runs an action with the parsed inputs. It replaces the previous action's result. */
  function runAction(act: (subject: ConnectionOrDraft) => void): void {
    const currentSubject = subject();
    keeping.reset();
    testing.reset();
    if (currentSubject) act(currentSubject);
    else setInvalidSubmits(invalidSubmits + 1);
  }

  function type(typed: Partial<DraftInputs>): void {
    // A certificate file arrives while the user is typing.
    setInputs((before) => ({ ...before, ...typed }));
    setInvalidSubmits(0);
    const stays = ([field]: [string, unknown]) => !(field in typed || (field === 'caFile' && 'ca' in typed));
    setProblems((before) => Object.fromEntries(Object.entries(before).filter(stays)));
    keeping.reset();
    testing.reset();
  }

  const error = keeping.error ?? testing.error;
  const isSwapped = error?.is('addresses_swapped') || testing.value?.data.code === 'addresses_swapped';
  const issues = fieldProblems(error, inputs.method);
  const isAtField = error?.is('invalid_input') || Object.keys(issues.problems).length > 0;
  return {
    inputs,
    place,
    keeping: keeping.isRunning,
    testing: testing.isRunning,
    check: testing.value,
    /** Why the last action failed, also where the fields say so. */
    failure: error,
    /** How often inputs were sent that were invalid, since they were edited. */
    invalidSubmits,
    /** Whether the connection can be saved although a service rejected the credentials or did not respond. */
    canSaveAnyway: keeping.error !== null && canSave(keeping.error, inputs.method),
    isSwapped,
    swap: () => type({ dataUrl: inputs.platformUrl, platformUrl: inputs.dataUrl }),
    /** Problems that belong to no field. */
    error: error && (isAtField && issues.otherIssues.length === 0 ? null : error),
    problem: (field: DraftField): string | undefined => (problems[field] ?? issues.problems[field])?.message,
    type,
    keep: () => runAction((subject) => void keeping.start(subject)),
    saveAnyway: () => runAction((subject) => void keeping.start(allowUntested(subject))),
    test: () => runAction((subject) => void testing.start(subject)),
    /** The failed action stays visible, with its suggested fixes. */
    diagnose(): void {
      const currentSubject = subject();
      if (currentSubject)
        void diagnostics.start({ id: place, name: inputs.name.trim(), subject: currentSubject });
    },
  };
}

const allowUntested = (subject: ConnectionOrDraft): ConnectionOrDraft => {
  if ('draft' in subject) return { draft: { ...subject.draft, saveAnyway: true } };
  return 'change' in subject ? { change: { ...subject.change, saveAnyway: true } } : subject;
};

/** Errors that a service or connectivity can cause. */
const serviceErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
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

/** An API key can be saved as it is; a login only if signing in succeeded and the data service failed. */
function canSave(error: AppError, method: Connection['method']): boolean {
  if (!serviceErrors.has(error.code)) return false;
  return method === 'api_key' || ('service' in error.details && error.details.service === 'data');
}

/** The field of a file, or of what belongs to it. */
function fileFieldOf({ wanted, part }: ErrorDetails<'file_unsuitable'>): DraftField | undefined {
  if (wanted === 'certificates') return 'caFile';
  if (wanted !== 'client_certificate') return undefined;
  return part === 'passphrase' ? 'passphrase' : part === 'key' ? 'clientKey' : 'clientCertificate';
}

function fieldProblems(
  error: AppError | null,
  method: Connection['method'],
): ReturnType<typeof problemsByField<DraftField>> {
  const field = error?.is('file_unsuitable') ? fileFieldOf(error.details) : undefined;
  if (error && field) return { problems: { [field]: { message: error.message } }, otherIssues: [] };
  return problemsByField(error ? issuesOf(error) : [], (path) => draftField(path, method));
}
