import { createStore } from 'zustand/vanilla';
import type { ConnectionOrDraft } from '../../../shared/connections/connections.ts';
import type { DiagnosisStep } from '../../../shared/connections/diagnosis.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import type { Api } from '../../api/api.ts';
import { createLatestTask } from '../../state/latest-task.ts';

/** What is looked at, and where in the window that is shown. */
export interface Patient {
  /** The id of a connection, or `new` for one that is not saved yet. */
  readonly of: string;
  /** Its name, as far as it has one. */
  readonly name: string;
  readonly subject: ConnectionOrDraft;
}

export interface DoctorState {
  /** Null: nobody has asked. */
  readonly patient: Patient | null;
  readonly steps: readonly DiagnosisStep[];
  readonly end:
    | { readonly status: 'running' | 'cancelled' }
    | { readonly status: 'ended'; readonly ok: boolean; readonly report: string }
    | { readonly status: 'failed'; readonly error: AppError };
}

/** Errors that several steps meet for one cause: a key that is not accepted, or addresses that are swapped. */
const shared: ReadonlySet<DiagnosisStep['code']> = new Set([
  'not_authenticated',
  'addresses_swapped',
] as const);

/** The steps that failed, the first first; of several that failed for one cause, the first alone. */
export function causesIn(steps: readonly DiagnosisStep[]): DiagnosisStep[] {
  const failed = steps.filter(({ state }) => state === 'failed');
  return failed.filter(
    ({ code }, at) => !shared.has(code) || failed.findIndex((step) => step.code === code) === at,
  );
}

const defaults: DoctorState = { patient: null, steps: [], end: { status: 'running' } };

/** The connectivity doctor: one patient at a time. */
export function createDoctor(api: { readonly connections: Pick<Api['connections'], 'diagnose'> }) {
  const store = createStore<DoctorState>()(() => defaults);
  const looking = createLatestTask();
  const close = () => {
    looking.drop();
    store.setState(defaults);
  };
  return {
    store,
    actions: {
      /** Looks at each step of the way; steps are told as they come. Never rejects. */
      async look(patient: Patient) {
        looking.drop();
        store.setState({ ...defaults, patient });
        await looking.run(
          async (signal) => {
            for await (const event of await api.connections.diagnose(patient.subject, { signal })) {
              // Another one may be looked at by now.
              signal.throwIfAborted();
              if (event.kind === 'end') return event;
              store.setState(({ steps }) => ({ steps: [...steps, event] }));
            }
            return null;
          },
          {
            onDone: (end) =>
              store.setState({
                end: end ? { status: 'ended', ok: end.ok, report: end.report } : { status: 'cancelled' },
              }),
            onFailed: (error) => store.setState({ end: { status: 'failed', error } }),
            onCanceled: () => store.setState({ end: { status: 'cancelled' } }),
          },
        );
      },
      cancel: () => looking.cancel(),
      close,
      /** Closes what is shown of one connection, whose key, login or addresses are other ones now. */
      closeFor(of: string) {
        if (store.getState().patient?.of === of) close();
      },
    },
  };
}

export type Doctor = ReturnType<typeof createDoctor>;

declare module '../../state/contexts.ts' {
  interface App {
    readonly doctor: Doctor;
  }
}
