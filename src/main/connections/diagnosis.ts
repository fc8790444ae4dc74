import type { DiagnosisEvent, DiagnosisStep } from '../../shared/connections/diagnosis.ts';
import { AppError, isAppError, toAppError, invalidInput } from '../../shared/errors/errors.ts';
import { describeKeychain } from '../../shared/errors/sentences.ts';
import { probe, type ProbeStep } from '../http/probe.ts';
import { openServicesNetwork, type ServiceNetworkOptions } from '../services/open.ts';
import { areSwapped, checkService, hasResponded, type ServiceCheck } from './check.ts';
import type { OpenConnection, ConnectionRegistry, ConnectionProfile } from './registry.ts';
import { formatReport, type ReportEnvironment } from './report.ts';
import type { SecretStore } from './secret-store.ts';
import { randomUUID } from 'node:crypto';
import type {
  ConnectionChange,
  ConnectionDraft,
  ConnectionOrDraft,
  Credential,
} from '../../shared/connections/connections.ts';
import { parseApiKey } from '../services/api-key.ts';
import type { createEntryFactory } from './entries.ts';
import type { Environment } from './environment.ts';
import { applyChange, emailOf, proxyOf } from './profile.ts';

export interface DiagnosisTarget {
  readonly networkOptions: ServiceNetworkOptions;
  readonly method: 'api_key' | 'login';
  /** Null: the secret is not stored. */
  readonly secretStore: SecretStore | null;
  readonly connection: OpenConnection;
}

type Service = 'data' | 'platform';
const services: readonly Service[] = ['data', 'platform'];

/**
 * Runs the diagnostics: keychain; name, proxy, TCP, and TLS of each host; authentication; a request to each
 * service. The last event has the report.
 * @throws AppError `cancelled`
 */
export async function* diagnose(
  target: DiagnosisTarget,
  environment: ReportEnvironment,
  signal: AbortSignal,
): AsyncGenerator<DiagnosisEvent> {
  const steps: DiagnosisStep[] = [];
  const addStep = (step: DiagnosisStep): DiagnosisStep => {
    steps.push(step);
    return step;
  };
  yield addStep(await keychainStep(target.secretStore));
  const reached = new Set<Service>();
  const network = openServicesNetwork(target.networkOptions);
  try {
    for (const found of hostsOf(target.networkOptions)) {
      let ok = true;
      for await (const step of probe({ target: found.url, service: found.services[0], network, signal })) {
        ok &&= step.state !== 'failed';
        yield addStep(shownStep(step, found.url.host));
      }
      if (ok) for (const service of found.services) reached.add(service);
    }
  } finally {
    await network.close();
  }
  for await (const step of serviceSteps(target, reached, signal)) yield addStep(step);
  const ok = steps.every(({ state }) => state !== 'failed');
  const secrets = target.connection.credential.secrets();
  yield { kind: 'end', ok, report: formatReport(steps, target, environment, secrets) };
}

/** Each host once, with its services. */
function hostsOf({
  dataUrl,
  platformUrl,
}: ServiceNetworkOptions): { url: URL; services: [Service, ...Service[]] }[] {
  const data = new URL(dataUrl);
  const platform = new URL(platformUrl);
  if (data.origin === platform.origin) return [{ url: data, services: ['data', 'platform'] }];
  return [
    { url: data, services: ['data'] },
    { url: platform, services: ['platform'] },
  ];
}

const timed = async <T>(
  work: () => Promise<T>,
): Promise<{ ms: number; value: T | null; error: AppError | null }> => {
  const began = performance.now();
  const ms = () => Math.round(performance.now() - began);
  try {
    return { ms: ms(), value: await work(), error: null };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.is('cancelled')) throw error;
    return { ms: ms(), value: null, error };
  }
};

async function keychainStep(secretStore: SecretStore | null): Promise<DiagnosisStep> {
  const began = performance.now();
  if (!secretStore || secretStore.state().place === 'session') {
    const trouble = secretStore?.state().trouble;
    const found = trouble
      ? `Credentials are kept for this session only. ${describeKeychain(trouble)}`
      : 'Credentials aren’t stored in the keychain.';
    return createStep('keychain', null, 'skipped', 0, found, null);
  }
  const { value, error } = await timed(() => secretStore.read());
  const ms = Math.round(performance.now() - began);
  if (error) return createStep('keychain', null, 'failed', ms, error.message, error);
  if (value)
    return createStep('keychain', null, 'ok', ms, 'The keychain is unlocked and has the credentials.', null);
  const missing = 'The keychain has no credentials for this connection.';
  return {
    ...createStep('keychain', null, 'failed', ms, missing, null),
    advice: 'Enter the API key or sign in again.',
  };
}

/**
 * Authentication, then both services. They are requested together, because only their responses show whether
 * a key is valid.
 */
async function* serviceSteps(
  { connection, networkOptions, method }: DiagnosisTarget,
  reached: ReadonlySet<Service>,
  signal: AbortSignal,
): AsyncGenerator<DiagnosisStep> {
  const host = new URL(networkOptions.platformUrl).host;
  // A sign-in needs the platform service; a key alone needs no request.
  const canAuthenticate = method === 'api_key' || reached.has('platform');
  const header = canAuthenticate ? await timed(() => connection.credential.header(signal)) : null;
  const isAuthenticated = header !== null && header.error === null;
  const pendingChecks = services.map((service) =>
    isAuthenticated && reached.has(service)
      ? checkService(service, connection.services, signal)
      : Promise.resolve(null),
  );
  const checks = await withSwapError(
    await Promise.all(pendingChecks),
    { header, reached, networkOptions },
    signal,
  );
  yield authStep(header, checks, host);
  for (const [index, service] of services.entries()) {
    const answer = checks[index] ?? null;
    const serviceHost = new URL(service === 'data' ? networkOptions.dataUrl : networkOptions.platformUrl)
      .host;
    yield serviceStep(service, serviceHost, answer);
  }
}

interface SwapCheckOptions {
  readonly header: { readonly ms: number; readonly error: AppError | null } | null;
  readonly reached: ReadonlySet<Service>;
  readonly networkOptions: ServiceNetworkOptions;
}

/** The results, or `addresses_swapped` if each service responds at the other's address. */
async function withSwapError(
  checks: readonly (ServiceCheck | null)[],
  { header, reached, networkOptions }: SwapCheckOptions,
  signal: AbortSignal,
): Promise<readonly (ServiceCheck | null)[]> {
  const isLoginMissing = header?.error?.is('not_found') ?? false;
  const isMissing = checks.every((answer) => (answer ? !hasResponded(answer) : isLoginMissing));
  if (!isMissing || reached.size < services.length || !(await areSwapped(networkOptions, signal)))
    return checks;
  return checks.map((answer) => ({ ms: answer?.ms ?? 0, error: new AppError('addresses_swapped', {}) }));
}

function authStep(
  header: { ms: number; error: AppError | null } | null,
  checks: readonly (ServiceCheck | null)[],
  host: string,
): DiagnosisStep {
  if (!header) return createStep('auth', host, 'skipped', 0, 'Not reached.', null);
  if (header.error) return createStep('auth', host, 'failed', header.ms, header.error.message, header.error);
  const errors = checks.flatMap((answer) => (answer ? [answer.error] : []));
  const refusal = errors.find((error) => isAppError(error, 'not_authenticated'));
  if (refusal) return createStep('auth', host, 'failed', header.ms, refusal.message, refusal);
  const isAccepted = errors.some((error) => error === null || error.is('forbidden'));
  if (isAccepted) return createStep('auth', host, 'ok', header.ms, 'The credentials were accepted.', null);
  return createStep(
    'auth',
    host,
    'skipped',
    header.ms,
    'No service was available to check the credentials.',
    null,
  );
}

function serviceStep(service: Service, host: string, answer: ServiceCheck | null): DiagnosisStep {
  if (!answer) return createStep(service, host, 'skipped', 0, 'Not reached.', null);
  if (answer.error) return createStep(service, host, 'failed', answer.ms, answer.error.message, answer.error);
  return createStep(service, host, 'ok', answer.ms, `The ${service} service responds.`, null);
}

function shownStep(
  { step, state, ms, found, error, advice, certificate }: ProbeStep,
  host: string,
): DiagnosisStep {
  const base = createStep(step, host, state, ms, found, error);
  return { ...base, advice: advice ?? base.advice, ...(certificate ? { certificate } : {}) };
}

/** In an error message, the last sentence is the advice. */
function createStep(
  step: DiagnosisStep['step'],
  host: string | null,
  state: DiagnosisStep['state'],
  ms: number,
  found: string,
  error: AppError | null,
): DiagnosisStep {
  const common = { kind: 'step', step, host, state, ms, code: error?.code ?? null } as const;
  if (!error) return { ...common, found, advice: null };
  const [, fact = found, advice = null] = /^(.*?[.”)])\s+([A-Z][^.]*(?:\.[^ ][^.]*)*\.)$/s.exec(found) ?? [];
  return { ...common, found: fact, advice };
}

interface DiagnosisOptions {
  readonly env: Environment;
  readonly about?: { readonly version: string; readonly host: string } | undefined;
  /** The certificates in a CA file. */
  readonly authorities: (caFile: string) => Promise<string[]>;
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
  { env, about, authorities, readProxyPassword }: DiagnosisOptions,
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
        proxy: proxyOf(proxy),
      },
      credential,
      async () => proxy?.password ?? null,
    );
  }

  /** Uses the stored secret if no other is entered and the hosts don't change. */
  async function openChange(change: ConnectionChange): Promise<OpenTarget> {
    const { profile: saved, secretStore } = registry.entry(change.connection);
    const { after: changedProfile, proxyPassword } = await applyChange(saved, change, authorities);
    const password = async () =>
      proxyPassword === undefined ? readProxyPassword(change.connection) : proxyPassword;
    // A separate id: the results must not affect the connection itself.
    const profile: ConnectionProfile = { ...changedProfile, id: randomUUID() };
    if (change.credential || !secretStore) return openUnsaved(profile, change.credential ?? null, password);
    const connection = entryFactory.entry(profile, secretStore, password).open(() => profile);
    const close = () => connection.services.close();
    return {
      networkOptions: entryFactory.networkOptions(profile, password),
      method: profile.method,
      secretStore,
      connection,
      close,
    };
  }

  /**
   * @throws AppError `invalid_input` for an invalid key, or without credentials
   */
  function openUnsaved(
    profile: ConnectionProfile,
    credentialInput: Credential | null,
    password: () => Promise<string | null>,
  ): OpenTarget {
    if (!credentialInput) throw invalidInput('Enter the credentials too.', { field: 'credential' });
    const credential: Credential =
      credentialInput.method === 'login'
        ? credentialInput
        : { method: 'api_key', apiKey: parseApiKey(credentialInput.apiKey) };
    const { method } = credential;
    const connection = entryFactory.fixed({ ...profile, method }, credential, password).open(() => profile);
    const close = () => connection.services.close();
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
    const environment = { version: about?.version ?? '', host: about?.host ?? '', env, now: Date.now() };
    try {
      yield* diagnose(target, environment, signal ?? new AbortController().signal);
    } finally {
      await target.close();
    }
  }
  return { openTarget, diagnose: diagnoseTarget };
}
