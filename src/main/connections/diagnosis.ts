import type { DiagnosisEvent, DiagnosisStep } from '../../shared/connections/diagnosis.ts';
import { AppError, isAppError, toAppError, invalidInput } from '../../shared/errors/errors.ts';
import { keychainInWords } from '../../shared/errors/sentences.ts';
import { probe, type ProbeStep } from '../http/probe.ts';
import { openServicesNetwork, type ServiceNetworkOptions } from '../services/open.ts';
import { areSwapped, ask, isThere, type Answered } from './check.ts';
import type { OpenConnection, ConnectionBook, Facts } from './book.ts';
import { reportOf, type Surroundings } from './report.ts';
import type { SecretStore } from './secret-store.ts';
import { randomUUID } from 'node:crypto';
import type {
  ConnectionChange,
  ConnectionDraft,
  ConnectionOrDraft,
  Credential,
} from '../../shared/connections/connections.ts';
import { parseApiKey } from '../services/api-key.ts';
import type { entriesOver } from './entries.ts';
import type { Environment } from './environment.ts';
import { afterChange, emailOf, proxyOf } from './facts.ts';

export interface DiagnosisTarget {
  readonly way: ServiceNetworkOptions;
  readonly method: 'api_key' | 'login';
  /** Null: the secret is not kept. */
  readonly secretStore: SecretStore | null;
  readonly opened: OpenConnection;
}

type Service = 'data' | 'platform';
const services: readonly Service[] = ['data', 'platform'];

/**
 * Looks at each step between this machine and the services: keychain, then name, proxy, TCP and TLS of each host, then
 * whether the key or login is let in, and what each service answers. The report comes last.
 * @throws AppError `cancelled` alone
 */
export async function* diagnose(
  target: DiagnosisTarget,
  surroundings: Surroundings,
  signal: AbortSignal,
): AsyncGenerator<DiagnosisEvent> {
  const steps: DiagnosisStep[] = [];
  const note = (step: DiagnosisStep): DiagnosisStep => {
    steps.push(step);
    return step;
  };
  yield note(await keychainStep(target.secretStore));
  const reached = new Set<Service>();
  const network = openServicesNetwork(target.way);
  try {
    for (const found of hostsOf(target.way)) {
      let ok = true;
      for await (const step of probe({ target: found.url, service: found.services[0], network, signal })) {
        ok &&= step.state !== 'failed';
        yield note(shownStep(step, found.url.host));
      }
      if (ok) for (const service of found.services) reached.add(service);
    }
  } finally {
    await network.close();
  }
  for await (const step of serviceSteps(target, reached, signal)) yield note(step);
  const ok = steps.every(({ state }) => state !== 'failed');
  const secrets = target.opened.credential.secrets();
  yield { kind: 'end', ok, report: reportOf(steps, target, surroundings, secrets) };
}

/** Each host once, with the services that are reached there. */
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

const took = async <T>(
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
      ? `Credentials are kept for this session only. ${keychainInWords(trouble)}`
      : 'Credentials aren’t stored in the keychain.';
    return made('keychain', null, 'skipped', 0, found, null);
  }
  const { value, error } = await took(() => secretStore.read());
  const ms = Math.round(performance.now() - began);
  if (error) return made('keychain', null, 'failed', ms, error.message, error);
  if (value)
    return made('keychain', null, 'ok', ms, 'The keychain is unlocked and has the credentials.', null);
  const missing = 'The keychain has no credentials for this connection.';
  return {
    ...made('keychain', null, 'failed', ms, missing, null),
    advice: 'Enter the API key or sign in again.',
  };
}

/** Authentication, then both services: asked together, because only their answers tell whether a key is good. */
async function* serviceSteps(
  { opened, way, method }: DiagnosisTarget,
  reached: ReadonlySet<Service>,
  signal: AbortSignal,
): AsyncGenerator<DiagnosisStep> {
  const host = new URL(way.platformUrl).host;
  // A login goes to the platform; a key goes nowhere by itself.
  const mayAsk = method === 'api_key' || reached.has('platform');
  const header = mayAsk ? await took(() => opened.credential.header(signal)) : null;
  const able = header !== null && header.error === null;
  const asked = services.map((service) =>
    able && reached.has(service) ? ask(service, opened.services, signal) : Promise.resolve(null),
  );
  const answers = await swappedOr(await Promise.all(asked), { header, reached, way }, signal);
  yield authStep(header, answers, host);
  for (const [index, service] of services.entries()) {
    const answer = answers[index] ?? null;
    const serviceHost = new URL(service === 'data' ? way.dataUrl : way.platformUrl).host;
    yield serviceStep(service, serviceHost, answer);
  }
}

interface Asked {
  readonly header: { readonly ms: number; readonly error: AppError | null } | null;
  readonly reached: ReadonlySet<Service>;
  readonly way: ServiceNetworkOptions;
}

/** The answers; where neither service is at its address and each is at the other's, that. */
async function swappedOr(
  answers: readonly (Answered | null)[],
  { header, reached, way }: Asked,
  signal: AbortSignal,
): Promise<readonly (Answered | null)[]> {
  const isLoginMissing = header?.error?.is('not_found') ?? false;
  const isMissing = answers.every((answer) => (answer ? !isThere(answer) : isLoginMissing));
  if (!isMissing || reached.size < services.length || !(await areSwapped(way, signal))) return answers;
  return answers.map((answer) => ({ ms: answer?.ms ?? 0, error: new AppError('addresses_swapped', {}) }));
}

function authStep(
  header: { ms: number; error: AppError | null } | null,
  answers: readonly (Answered | null)[],
  host: string,
): DiagnosisStep {
  if (!header) return made('auth', host, 'skipped', 0, 'Not reached.', null);
  if (header.error) return made('auth', host, 'failed', header.ms, header.error.message, header.error);
  const errors = answers.flatMap((answer) => (answer ? [answer.error] : []));
  const refusal = errors.find((error) => isAppError(error, 'not_authenticated'));
  if (refusal) return made('auth', host, 'failed', header.ms, refusal.message, refusal);
  const letIn = errors.some((error) => error === null || error.is('forbidden'));
  if (letIn) return made('auth', host, 'ok', header.ms, 'The credentials were accepted.', null);
  return made('auth', host, 'skipped', header.ms, 'No service was available to check the credentials.', null);
}

function serviceStep(service: Service, host: string, answer: Answered | null): DiagnosisStep {
  if (!answer) return made(service, host, 'skipped', 0, 'Not reached.', null);
  if (answer.error) return made(service, host, 'failed', answer.ms, answer.error.message, answer.error);
  return made(service, host, 'ok', answer.ms, `The ${service} service responds.`, null);
}

function shownStep(
  { step, state, ms, found, error, advice, certificate }: ProbeStep,
  host: string,
): DiagnosisStep {
  const shown = made(step, host, state, ms, found, error);
  return { ...shown, advice: advice ?? shown.advice, ...(certificate ? { certificate } : {}) };
}

/** An error's last sentence is what to do; what comes before it is what was found. */
function made(
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
  /** The certificates in a file that a person chose. */
  readonly authorities: (caFile: string) => Promise<string[]>;
  readonly keptProxyPassword: (id: string) => Promise<string | null>;
}

/** A connection that is diagnosed. Its services close with it, unless they are in use. */
interface OpenTarget extends DiagnosisTarget {
  readonly close: () => Promise<void>;
}

/** Diagnoses and tests connections: one of the book, or a draft that nothing is kept of. */
export function createDiagnosis(
  book: ConnectionBook,
  made: ReturnType<typeof entriesOver>,
  { env, about, authorities, keptProxyPassword }: DiagnosisOptions,
) {
  async function openTarget(input: ConnectionOrDraft): Promise<OpenTarget> {
    if ('draft' in input) return openDraft(input.draft);
    if ('change' in input) return openChange(input.change);
    const { facts, secretStore } = book.entry(input.connection);
    const opened = book.open(input.connection);
    return { way: made.way(facts), method: facts.method, secretStore, opened, close: async () => undefined };
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

  /** With the secret that is kept, where no other is given and it stays on its host. */
  async function openChange(change: ConnectionChange): Promise<OpenTarget> {
    const { facts, secretStore } = book.entry(change.connection);
    const { after, proxyPassword } = await afterChange(facts, change, authorities);
    const password = async () =>
      proxyPassword === undefined ? keptProxyPassword(change.connection) : proxyPassword;
    // What is found out about it says nothing about the connection as it is.
    const other: Facts = { ...after, id: randomUUID() };
    if (change.credential || !secretStore) return openUnsaved(other, change.credential ?? null, password);
    const opened = made.entry(other, secretStore, password).open(() => other);
    const close = () => opened.services.close();
    return { way: made.way(other, password), method: other.method, secretStore, opened, close };
  }

  /** @throws AppError `invalid_input` for a key that a header can't hold, or without a credential */
  function openUnsaved(
    facts: Facts,
    given: Credential | null,
    password: () => Promise<string | null>,
  ): OpenTarget {
    if (!given) throw invalidInput('Enter the credentials too.', { field: 'credential' });
    const credential: Credential =
      given.method === 'login' ? given : { method: 'api_key', apiKey: parseApiKey(given.apiKey) };
    const { method } = credential;
    const opened = made.fixed({ ...facts, method }, credential, password).open(() => facts);
    const close = () => opened.services.close();
    return { way: made.way(facts, password), method, secretStore: null, opened, close };
  }

  async function* diagnosed(
    input: ConnectionOrDraft,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<DiagnosisEvent> {
    const target = await openTarget(input);
    const surroundings = { version: about?.version ?? '', host: about?.host ?? '', env, now: Date.now() };
    try {
      yield* diagnose(target, surroundings, signal ?? new AbortController().signal);
    } finally {
      await target.close();
    }
  }
  return { openTarget, diagnose: diagnosed };
}
