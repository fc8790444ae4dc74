import { arch, release } from 'node:os';
import type { Credential } from '../../../shared/connections/connections.ts';
import type { ConnectionCheck, DiagnosisEvent, DiagnosisStep } from '../../../shared/contract/connections.ts';
import { AppError, isAppError, toAppError } from '../../../shared/errors/errors.ts';
import { describeKeychain } from '../../../shared/errors/sentences.ts';
import { environmentSecrets } from '../logger.ts';
import { probe, type ProbeStep } from '../wire/http/probe.ts';
import type { Environment } from '../wire/http/routes.ts';
import { redact } from '../wire/http/redact.ts';
import { parseApiKey } from '../wire/services/credentials.ts';
import {
  type CredentialFactory,
  type ServiceNetworkOptions,
  credentialSource,
  openServices,
  openServicesNetwork,
  signInOnce,
} from '../wire/services/open.ts';
import type { CallOptions, Services } from '../wire/services/services.ts';
import { SignInCredential } from '../wire/services/token.ts';
import { memoryTokens } from '../wire/services/tokens.ts';
import type { OpenConnection } from './connections.ts';
import type { Secret, SecretStore } from './secrets.ts';
import { elapsedMs } from '../../world/time.ts';

// A person waits for the result, so a failure is shown soon.
const maxTries = 2;
const timeoutMs = 15_000;

/** The result of a small request to a service. */
type ServiceCheck = Pick<Timed<unknown>, 'ms' | 'error'>;

interface Timed<T> {
  readonly ms: number;
  /** Null: it failed, or has none. */
  readonly value: T | null;
  readonly error: AppError | null;
}

/** An error is part of the outcome. @throws AppError `cancelled` */
async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const startedAt = elapsedMs();
  const ms = () => Math.round(elapsedMs() - startedAt);
  try {
    const value = await work();
    return { ms: ms(), value, error: null };
  } catch (cause) {
    const error = toAppError(cause);
    if (error.is('cancelled')) throw error;
    return { ms: ms(), value: null, error };
  }
}

/** A small request to each service that requires credentials. */
const probeRequests = {
  data: ({ data }: Services, options: CallOptions) => data.datasets({ search: 'wits' }, options),
  platform: ({ platform }: Services, options: CallOptions) =>
    platform.pages('wells', { per_page: 1 }, options).next(),
} as const;

type Service = keyof typeof probeRequests;
const serviceNames: readonly Service[] = ['data', 'platform'];
type OfBoth<T> = readonly [data: T, platform: T];

const checkService = (
  service: Service,
  services: Services,
  signal: AbortSignal | undefined,
): Promise<ServiceCheck> =>
  timed<unknown>(() => probeRequests[service](services, { signal, maxTries, timeoutMs }));

const checkBoth = (services: Services, signal: AbortSignal | undefined): Promise<OfBoth<ServiceCheck>> =>
  Promise.all([checkService('data', services, signal), checkService('platform', services, signal)]);

/** Whether the service responded, whatever the credentials. */
const hasResponded = ({ error }: ServiceCheck): boolean =>
  error === null || error.is('forbidden') || error.is('not_authenticated');

/** Whether each service responds at the other's address and neither at its own. Needs no credentials. */
async function areSwapped(
  networkOptions: ServiceNetworkOptions,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const swapped = {
    ...networkOptions,
    dataUrl: networkOptions.platformUrl,
    platformUrl: networkOptions.dataUrl,
  };
  const results = await Promise.all(
    [networkOptions, swapped].map(async (addresses) => {
      const { services } = openServices(addresses, () => null);
      try {
        return (await checkBoth(services, signal)).map(hasResponded);
      } finally {
        await services.close();
      }
    }),
  );
  const [ownResults, swappedResults] = results;
  return ownResults?.includes(true) === false && swappedResults?.includes(false) === false;
}

/** The checks, with the error `addresses_swapped` if no service responded, but each does at the other's address. */
async function withSwapError<T extends ServiceCheck | null>(
  checks: OfBoth<T>,
  networkOptions: ServiceNetworkOptions,
  signal: AbortSignal | undefined,
): Promise<OfBoth<T | ServiceCheck>> {
  const hasAny = checks.some((check) => check !== null && hasResponded(check));
  if (hasAny || !(await areSwapped(networkOptions, signal))) return checks;
  const error = new AppError('addresses_swapped', {});
  const [data, platform] = checks;
  return [
    { ms: data?.ms ?? 0, error },
    { ms: platform?.ms ?? 0, error },
  ];
}

/** Checks both services and describes the results. @throws AppError `cancelled` */
export async function checkServices(
  services: Services,
  networkOptions: ServiceNetworkOptions,
  signal?: AbortSignal,
): Promise<ConnectionCheck> {
  const [data, platform] = await withSwapError(await checkBoth(services, signal), networkOptions, signal);
  return { data: toCheckResult(data, 'data'), platform: toCheckResult(platform, 'platform') };
}

function toCheckResult({ ms, error }: ServiceCheck, service: Service): ConnectionCheck['data'] {
  if (error) return { ok: false, ms, message: error.message, code: error.code };
  const message = `The ${service} service responds and accepts the credentials.`;
  return { ok: true, ms, message, code: null };
}

/**
 * Passes if the required services accept the credentials, with or without permission, and none refuses them.
 * @throws AppError the first error, `not_authenticated` before others
 */
function assertAccepted(checks: OfBoth<ServiceCheck>, required: VerifyOptions['services']): void {
  const errors = checks.flatMap(({ error }) => (error === null || error.is('forbidden') ? [] : [error]));
  const refusal = errors.find((error) => error.is('not_authenticated'));
  if (refusal) throw refusal;
  const [first] = errors;
  if (first && (required === 'both' || errors.length === checks.length)) throw first;
}

interface VerifyOptions {
  /**
   * `both`: both services must accept it; `either`: one that is down is ignored; `none`: no request is sent.
   */
  readonly services: 'both' | 'either' | 'none';
  readonly signal?: AbortSignal | undefined;
}

/**
 * Verifies entered credentials and converts them to the secret to store: a password is exchanged for tokens.
 * @throws AppError `invalid_input` for an invalid key, `not_authenticated` for refused credentials,
 *   `addresses_swapped`, `unreachable`, `timed_out`, or another error of a service
 */
export async function verifyCredential(
  credential: Credential,
  networkOptions: ServiceNetworkOptions,
  options: VerifyOptions,
): Promise<Secret> {
  const { services: required, signal } = options;
  if (credential.method === 'login') {
    const tokens = await signInOnce(networkOptions, credential, signal).catch(async (error: unknown) => {
      throw isAppError(error, 'not_found') && (await areSwapped(networkOptions, signal))
        ? new AppError('addresses_swapped', {})
        : error;
    });
    if (required !== 'both') return { method: 'login', tokens };
    const store = memoryTokens();
    await store.write(tokens);
    await checkCredential(
      (http) => new SignInCredential({ http, login: null, store }),
      networkOptions,
      options,
    );
    // They may have been renewed.
    return { method: 'login', tokens: (await store.read()) ?? tokens };
  }
  const apiKey = parseApiKey(credential.apiKey);
  if (required !== 'none')
    await checkCredential((http) => credentialSource(credential, http), networkOptions, options);
  return { method: 'api_key', apiKey };
}

async function checkCredential(
  createCredential: CredentialFactory,
  networkOptions: ServiceNetworkOptions,
  { services: required, signal }: VerifyOptions,
): Promise<void> {
  const { services } = openServices(networkOptions, createCredential);
  try {
    const checks = await checkBoth(services, signal);
    const results = required === 'both' ? await withSwapError(checks, networkOptions, signal) : checks;
    assertAccepted(results, required);
  } finally {
    await services.close();
  }
}

export interface DiagnosisTarget {
  readonly networkOptions: ServiceNetworkOptions;
  readonly method: 'api_key' | 'login';
  /** Null: the secret is not stored. */
  readonly secretStore: SecretStore | null;
  readonly connection: OpenConnection;
}

interface ReportEnvironment {
  readonly version: string;
  readonly host: string;
  readonly env: Environment;
  /** Unix milliseconds. */
  readonly now: number;
}

const proxyVariables = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'];

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
    for (const host of hostsOf(target.networkOptions)) {
      let ok = true;
      for await (const step of probe({ target: host.url, service: host.services[0], network, signal })) {
        ok &&= step.state !== 'failed';
        yield addStep(shownStep(step, host.url.host));
      }
      if (ok) for (const service of host.services) reached.add(service);
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

async function keychainStep(secretStore: SecretStore | null): Promise<DiagnosisStep> {
  const step = (state: DiagnosisStep['state'], ms: number, found: string, error: AppError | null = null) =>
    createStep('keychain', null, state, ms, found, error);
  if (!secretStore || secretStore.state().place === 'session') {
    const trouble = secretStore?.state().trouble;
    return step(
      'skipped',
      0,
      trouble
        ? `Credentials are kept for this session only. ${describeKeychain(trouble)}`
        : 'Credentials aren’t stored in the keychain.',
    );
  }
  const { ms, value, error } = await timed(() => secretStore.read());
  if (error) return step('failed', ms, error.message, error);
  if (value) return step('ok', ms, 'The keychain is unlocked and contains the credentials.');
  const missing = step('failed', ms, 'The keychain contains no credentials for this connection.');
  return { ...missing, advice: 'Enter the API key or sign in again.' };
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
  const checkReached = async (service: Service): Promise<ServiceCheck | null> =>
    isAuthenticated && reached.has(service) ? checkService(service, connection.services, signal) : null;
  const checks = await Promise.all([checkReached('data'), checkReached('platform')]);
  // Of swapped addresses, that of the sign-in isn't known to the data service.
  const isEachTried = checks.every((check) => check !== null || header?.error?.is('not_found') === true);
  const canBeSwapped = isEachTried && reached.size === serviceNames.length;
  const results = canBeSwapped ? await withSwapError(checks, networkOptions, signal) : checks;
  yield authStep(header, results, host);
  for (const [index, service] of serviceNames.entries()) {
    const url = service === 'data' ? networkOptions.dataUrl : networkOptions.platformUrl;
    yield serviceStep(service, new URL(url).host, results[index] ?? null);
  }
}

function authStep(
  header: ServiceCheck | null,
  checks: OfBoth<ServiceCheck | null>,
  host: string,
): DiagnosisStep {
  const step = (state: DiagnosisStep['state'], found: string, error: AppError | null = null) =>
    createStep('auth', host, state, header?.ms ?? 0, found, error);
  if (!header) return step('skipped', 'Not reached.');
  const errors = checks.flatMap((check) => (check ? [check.error] : []));
  const refusal = header.error ?? errors.find((error) => isAppError(error, 'not_authenticated'));
  if (refusal) return step('failed', refusal.message, refusal);
  const isAccepted = errors.some((error) => error === null || error.is('forbidden'));
  return isAccepted
    ? step('ok', 'The credentials were accepted.')
    : step('skipped', 'No service was available to check the credentials.');
}

function serviceStep(service: Service, host: string, check: ServiceCheck | null): DiagnosisStep {
  if (!check) return createStep(service, host, 'skipped', 0, 'Not reached.', null);
  const { ms, error } = check;
  if (error) return createStep(service, host, 'failed', ms, error.message, error);
  return createStep(service, host, 'ok', ms, `The ${service} service responds.`, null);
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

/** The diagnostics as text for the IT department, without keys, tokens, passwords, and proxy users. */
function formatReport(
  steps: readonly DiagnosisStep[],
  { networkOptions, method }: Pick<DiagnosisTarget, 'networkOptions' | 'method'>,
  { version, host, env, now }: ReportEnvironment,
  secrets: readonly string[],
): string {
  const failed = steps.filter(({ state }) => state === 'failed').length;
  const proxies = networkOptions.proxy
    ? [`Proxy         ${networkOptions.proxy.address}, set in this connection`]
    : networkOptions.resolveProxy
      ? ['Proxy         from the system']
      : proxyVariables.flatMap((name) => describeVariable(name, env));
  const lines = [
    'Wellbench connectivity report',
    `Created       ${new Date(now).toISOString()}`,
    `Application   Wellbench ${version}, ${host}, Node ${process.versions.node}`,
    `Computer      ${process.platform} ${release()} ${arch()}`,
    `Data          ${networkOptions.dataUrl}`,
    `Platform      ${networkOptions.platformUrl}`,
    `Method        ${method === 'api_key' ? 'API key' : 'email and password'}`,
    `CA file       ${networkOptions.authorities?.length ? `${networkOptions.authorities.length} certificates` : 'none'}`,
    `Certificate   ${networkOptions.clientCertificate?.name ?? 'no client certificate'}`,
    ...proxies,
    `Result        ${failed === 0 ? 'all steps passed' : `${failed} of ${steps.length} steps failed`}`,
    ...causeIn(steps),
    '',
    ...steps.flatMap(linesOf),
    '',
  ];
  return redact(lines.join('\n'), [...secrets, ...environmentSecrets(env)]);
}

/** The first failed step, at the top of the report. */
function causeIn(steps: readonly DiagnosisStep[]): string[] {
  const cause = steps.find(({ state }) => state === 'failed');
  if (!cause) return [];
  return [`Cause         ${cause.found}`, ...(cause.advice ? [`Next step     ${cause.advice}`] : [])];
}

function describeVariable(name: string, env: Environment): string[] {
  const value = env[name.toLowerCase()] ?? env[name];
  return value ? [`${name.padEnd(13)} ${value}`] : [];
}

function linesOf({ step, host, state, ms, found, advice, certificate }: DiagnosisStep): string[] {
  const first = `${state.padEnd(8)} ${step.padEnd(9)} ${(host ?? '').padEnd(30)} ${String(ms).padStart(6)} ms  ${found}`;
  const indent = ' '.repeat(18);
  return [
    first,
    ...(advice ? [`${indent} Next step: ${advice}`] : []),
    ...(certificate
      ? [
          `${indent} Certificate of ${certificate.subject}, ${certificate.from.slice(0, 10)} to ${certificate.until.slice(0, 10)}`,
          `${indent} Issued by ${certificate.issuer}; root authority: ${certificate.authority}`,
          `${indent} SHA-256 ${certificate.fingerprint}`,
        ]
      : []),
  ];
}
