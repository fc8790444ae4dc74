import type {
  ConnectionChange,
  ConnectionDraft,
  ConnectionOrDraft,
  Credential,
} from '../../../shared/connections/connections.ts';
import type { DiagnosisEvent } from '../../../shared/connections/diagnosis.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import type { ClientCertificates } from './client-certificates.ts';
import { diagnose, type DiagnosisTarget } from './diagnose.ts';
import type { createEntryFactory } from './entries.ts';
import type { Environment } from './environment.ts';
import { applyChange, emailOf, proxyOf } from './profile.ts';
import type { ConnectionProfile, ConnectionRegistry } from './registry.ts';
import { wallMs } from '../../world/time.ts';
import { randomUUID } from '../../world/random.ts';

interface DiagnosisOptions {
  readonly env: Environment;
  readonly about?: { readonly version: string; readonly host: string } | undefined;
  /** The certificates in a CA file. */
  readonly authorities: (caFile: string) => Promise<string[]>;
  readonly certificates: ClientCertificates;
  readonly readProxyPassword: (id: string) => Promise<string | null>;
}

/** A connection to diagnose. Closing it closes its services, unless the registry owns them. */
interface OpenTarget extends DiagnosisTarget {
  readonly close: () => Promise<void>;
}

/** Diagnoses and tests connections: of the registry, drafts, and changes; drafts are not saved. */
export function createDiagnosis(
  registry: ConnectionRegistry,
  entryFactory: ReturnType<typeof createEntryFactory>,
  { env, about, authorities, certificates, readProxyPassword }: DiagnosisOptions,
) {
  async function openTarget(input: ConnectionOrDraft): Promise<OpenTarget> {
    if ('draft' in input) return openDraft(input.draft);
    if ('change' in input) return openChange(input.change);
    const { profile, secretStore } = registry.entry(input.connection);
    const connection = registry.open(input.connection);
    return {
      networkOptions: entryFactory.networkOptions(profile),
      method: profile.method,
      secretStore,
      connection,
      close: async () => undefined,
    };
  }

  async function openDraft(draft: ConnectionDraft): Promise<OpenTarget> {
    const { name, color, dataUrl, platformUrl, readOnly, credential, caFile, proxy } = draft;
    return openUnsaved(
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
        clientCertificate: await certificates.resolve(draft.clientCertificate),
        proxy: proxyOf(proxy),
      },
      credential,
      async () => proxy?.password ?? null,
    );
  }

  /** Uses the stored secret if no other is entered and the hosts don't change. */
  async function openChange(change: ConnectionChange): Promise<OpenTarget> {
    const { profile: saved, secretStore } = registry.entry(change.connection);
    const { after: changedProfile, proxyPassword } = await applyChange(saved, change, {
      authorities,
      certificates,
    });
    const password = async () =>
      proxyPassword === undefined ? readProxyPassword(change.connection) : proxyPassword;
    // A separate id: the results must not affect the connection itself.
    const profile: ConnectionProfile = { ...changedProfile, id: randomUUID() };
    const { clientCertificate } = saved;
    if (change.credential || !secretStore)
      return openUnsaved(profile, change.credential ?? null, password, clientCertificate);
    const connection = entryFactory.entry(profile, secretStore, password).open(() => profile);
    const close = async () => {
      certificates.forget(profile.clientCertificate, clientCertificate);
      await connection.services.close();
    };
    return {
      networkOptions: entryFactory.networkOptions(profile, password),
      method: profile.method,
      secretStore,
      connection,
      close,
    };
  }

  /**
   * @param savedCertificate the client certificate of the saved connection
   * @throws AppError `invalid_input` for an invalid key, or without credentials
   */
  function openUnsaved(
    profile: ConnectionProfile,
    credential: Credential | null,
    password: () => Promise<string | null>,
    savedCertificate?: ConnectionProfile['clientCertificate'],
  ): OpenTarget {
    if (!credential) throw invalidInput('Enter the credentials too.', { field: 'credential' });
    const { method } = credential;
    const connection = entryFactory.fixed({ ...profile, method }, credential, password).open(() => profile);
    const close = async () => {
      certificates.forget(profile.clientCertificate, savedCertificate);
      await connection.services.close();
    };
    return {
      networkOptions: entryFactory.networkOptions(profile, password),
      method,
      secretStore: null,
      connection,
      close,
    };
  }

  async function* diagnoseTarget(
    input: ConnectionOrDraft,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<DiagnosisEvent> {
    const target = await openTarget(input);
    const environment = { version: about?.version ?? '', host: about?.host ?? '', env, now: wallMs() };
    try {
      yield* diagnose(target, environment, signal ?? new AbortController().signal);
    } finally {
      await target.close();
    }
  }
  return { openTarget, diagnose: diagnoseTarget };
}
