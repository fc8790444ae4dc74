import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { connectionOrDraft } from '../../shared/connections.ts';
import type { DiagnosisEvent } from '../../shared/diagnosis.ts';
import { apiKeyIn } from '../services/api-key.ts';
import type { ConnectionBook, Facts } from './book.ts';
import { diagnose, type Patient } from './doctor.ts';
import type { entriesOver } from './entries.ts';
import type { Environment } from './environment.ts';
import { emailOf } from './facts.ts';

export interface PatientOptions {
  readonly env: Environment;
  readonly about?: { readonly version: string; readonly host: string } | undefined;
  /** The certificates in a file that a person chose. */
  readonly authorities: (caFile: string) => Promise<string[]>;
}

/** A connection that is looked at, and what is to be done when that is over. */
interface Admitted extends Patient {
  readonly discharge: () => Promise<void>;
}

/** Connections as the doctor and the test take them: one of the book, or a draft that nothing is kept of. */
export function createPatients(
  book: ConnectionBook,
  made: ReturnType<typeof entriesOver>,
  { env, about, authorities }: PatientOptions,
) {
  async function admit(input: z.infer<typeof connectionOrDraft>): Promise<Admitted> {
    if ('connection' in input) {
      const { facts, slot } = book.entry(input.connection);
      const opened = book.open(input.connection);
      return { way: made.way(facts), method: facts.method, slot, opened, discharge: async () => undefined };
    }
    const { draft } = input;
    const { method } = draft.credential;
    const credential =
      draft.credential.method === 'login'
        ? draft.credential
        : { method: 'api_key' as const, apiKey: apiKeyIn(draft.credential.apiKey) };
    const facts: Facts = {
      id: randomUUID(),
      name: draft.name,
      color: draft.color,
      dataUrl: draft.dataUrl,
      platformUrl: draft.platformUrl,
      method,
      email: emailOf(credential),
      readOnly: draft.readOnly,
      sample: false,
      saved: false,
      authorities: draft.caFile ? await authorities(draft.caFile) : [],
    };
    const opened = made.fixed(facts, credential).open(() => facts);
    return { way: made.way(facts), method, slot: null, opened, discharge: () => opened.services.close() };
  }

  async function* diagnosed(
    input: z.infer<typeof connectionOrDraft>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<DiagnosisEvent> {
    const patient = await admit(input);
    const surroundings = { version: about?.version ?? '', host: about?.host ?? '', env, now: Date.now() };
    try {
      yield* diagnose(patient, surroundings, signal ?? new AbortController().signal);
    } finally {
      await patient.discharge();
    }
  }
  return { admit, diagnose: diagnosed };
}
