import { randomUUID } from 'node:crypto';
import type {
  ConnectionChange,
  ConnectionDraft,
  ConnectionOrDraft,
  Credential,
} from '../../shared/connections/connections.ts';
import type { DiagnosisEvent } from '../../shared/connections/diagnosis.ts';
import { invalidInput } from '../../shared/errors/errors.ts';
import { apiKeyIn } from '../services/api-key.ts';
import type { ConnectionBook, Facts } from './book.ts';
import { diagnose, type Patient } from './doctor.ts';
import type { entriesOver } from './entries.ts';
import type { Environment } from './environment.ts';
import { afterChange, emailOf, proxyOf } from './facts.ts';

export interface PatientOptions {
  readonly env: Environment;
  readonly about?: { readonly version: string; readonly host: string } | undefined;
  /** The certificates in a file that a person chose. */
  readonly authorities: (caFile: string) => Promise<string[]>;
  /** The password of a connection's own proxy. */
  readonly keptProxyPassword: (id: string) => Promise<string | null>;
}

/** A connection that is looked at, and what is to be done when that is over. */
interface Admitted extends Patient {
  readonly discharge: () => Promise<void>;
}

/** Connections as the doctor and the test take them: one of the book, or a draft that nothing is kept of. */
export function createPatients(
  book: ConnectionBook,
  made: ReturnType<typeof entriesOver>,
  { env, about, authorities, keptProxyPassword }: PatientOptions,
) {
  async function admit(input: ConnectionOrDraft): Promise<Admitted> {
    if ('draft' in input) return admitDraft(input.draft);
    if ('change' in input) return admitChange(input.change);
    const { facts, slot } = book.entry(input.connection);
    const opened = book.open(input.connection);
    return { way: made.way(facts), method: facts.method, slot, opened, discharge: async () => undefined };
  }

  async function admitDraft(draft: ConnectionDraft): Promise<Admitted> {
    const { name, color, dataUrl, platformUrl, readOnly, credential, caFile, proxy } = draft;
    return stranger(
      {
        id: randomUUID(),
        name,
        color,
        dataUrl,
        platformUrl,
        method: credential.method,
        email: emailOf(credential),
        readOnly,
        sample: false,
        saved: false,
        authorities: caFile ? await authorities(caFile) : [],
        proxy: proxyOf(proxy),
      },
      credential,
      async () => proxy?.password ?? null,
    );
  }

  /** With the secret that is kept, where no other is given and it stays on its host. */
  async function admitChange(change: ConnectionChange): Promise<Admitted> {
    const { facts, slot } = book.entry(change.connection);
    const { after, proxyPassword } = await afterChange(facts, change, authorities);
    const password = async () =>
      proxyPassword === undefined ? keptProxyPassword(change.connection) : proxyPassword;
    // What is found out about it says nothing about the connection as it is.
    const other: Facts = { ...after, id: randomUUID() };
    if (change.credential || !slot) return stranger(other, change.credential ?? null, password);
    const opened = made.entry(other, slot, password).open(() => other);
    const discharge = () => opened.services.close();
    return { way: made.way(other, password), method: other.method, slot, opened, discharge };
  }

  /** @throws AppError `invalid_input` for a key that a header can't hold, or without a credential */
  function stranger(
    facts: Facts,
    given: Credential | null,
    password: () => Promise<string | null>,
  ): Admitted {
    if (!given) throw invalidInput('Give the key or login too.', { field: 'credential' });
    const credential: Credential =
      given.method === 'login' ? given : { method: 'api_key', apiKey: apiKeyIn(given.apiKey) };
    const { method } = credential;
    const opened = made.fixed({ ...facts, method }, credential, password).open(() => facts);
    const discharge = () => opened.services.close();
    return { way: made.way(facts, password), method, slot: null, opened, discharge };
  }

  async function* diagnosed(
    input: ConnectionOrDraft,
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
