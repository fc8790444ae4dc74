import { createStore } from 'zustand/vanilla';
import type { ConnectionOrDraft, DiagnosisStep } from '../../../shared/contract/connections.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import type { Api } from '../../api/api.ts';
import { createLatestTask } from '../../state/latest-task.ts';

/** The connection to diagnose, and where the result is shown. */
export interface DiagnosticsTarget {
  /** The id of a connection, or `new` for an unsaved one. */
  readonly id: string;
  readonly name: string;
  readonly subject: ConnectionOrDraft;
}

export interface DiagnosticsState {
  /** Null: not started. */
  readonly target: DiagnosticsTarget | null;
  readonly steps: readonly DiagnosisStep[];
  readonly end:
    | { readonly status: 'running' | 'cancelled' }
    | { readonly status: 'ended'; readonly report: string }
    | { readonly status: 'failed'; readonly error: AppError };
}

/** Errors that several steps share for one cause, such as rejected credentials or swapped addresses. */
const commonCauses: ReadonlySet<DiagnosisStep['code']> = new Set([
  'not_authenticated',
  'addresses_swapped',
] as const);

/** The failed steps in order; of several with one cause, only the first. */
export function findCauses(steps: readonly DiagnosisStep[]): DiagnosisStep[] {
  const failed = steps.filter(({ state }) => state === 'failed');
  return failed.filter(
    ({ code }, at) => !commonCauses.has(code) || failed.findIndex((step) => step.code === code) === at,
  );
}

const defaults: DiagnosticsState = { target: null, steps: [], end: { status: 'running' } };

export function createDiagnostics(api: { readonly connections: Pick<Api['connections'], 'diagnose'> }) {
  const store = createStore<DiagnosticsState>()(() => defaults);
  const diagnosticsTask = createLatestTask();
  const close = () => {
    diagnosticsTask.drop();
    store.setState(defaults);
  };
  return {
    store,
    actions: {
      /** Runs all steps and shows each result as it arrives. Never rejects. */
      async start(target: DiagnosticsTarget) {
        diagnosticsTask.drop();
        store.setState({ ...defaults, target });
        await diagnosticsTask.run(
          async (signal) => {
            for await (const event of await api.connections.diagnose(target.subject, { signal })) {
              // Diagnostics of another connection may have started.
              signal.throwIfAborted();
              if (event.kind === 'end') return event;
              store.setState(({ steps }) => ({ steps: [...steps, event] }));
            }
            return null;
          },
          {
            onDone: (end) =>
              store.setState({
                end: end ? { status: 'ended', report: end.report } : { status: 'cancelled' },
              }),
            onFailed: (error) => store.setState({ end: { status: 'failed', error } }),
            onCanceled: () => store.setState({ end: { status: 'cancelled' } }),
          },
        );
      },
      cancel: () => diagnosticsTask.cancel(),
      close,
      /** Closes the diagnostics of a connection whose credentials or addresses changed. */
      closeFor(of: string) {
        if (store.getState().target?.id === of) close();
      },
    },
  };
}

export type Diagnostics = ReturnType<typeof createDiagnostics>;
