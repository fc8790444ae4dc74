import type { DiagnosisEvent, DiagnosisStep } from '../../../shared/connections/diagnosis.ts';
import { AppError, isAppError } from '../../../shared/errors/errors.ts';
import { describeKeychain } from '../../../shared/errors/sentences.ts';
import { probe, type ProbeStep } from '../wire/http/probe.ts';
import { openServicesNetwork, type ServiceNetworkOptions } from '../wire/services/open.ts';
import { areSwapped, checkService, hasResponded, timed, type ServiceCheck } from './check.ts';
import type { OpenConnection } from './registry.ts';
import type { SecretStore } from './secret-store.ts';
import { arch, release } from 'node:os';
import { redact } from '../wire/http/redact.ts';
import { environmentSecrets } from '../logger.ts';
import type { Environment } from './environment.ts';

/** The application and the computer, for a report. */
export interface ReportEnvironment {
  readonly version: string;
  readonly host: string;
  readonly env: Environment;
  /** Unix milliseconds. */
  readonly now: number;
}

const variables = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'];

/** The diagnostics as text for the IT department, without keys, tokens, passwords, and proxy users. */
export function formatReport(
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
      : variables.flatMap((name) => describeVariable(name, env));
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
  if (value) return step('ok', ms, 'The keychain is unlocked and has the credentials.');
  const missing = step('failed', ms, 'The keychain has no credentials for this connection.');
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
    const url = service === 'data' ? networkOptions.dataUrl : networkOptions.platformUrl;
    yield serviceStep(service, new URL(url).host, checks[index] ?? null);
  }
}

interface SwapCheckOptions {
  readonly header: ServiceCheck | null;
  readonly reached: ReadonlySet<Service>;
  readonly networkOptions: ServiceNetworkOptions;
}

/** The checks, with the error `addresses_swapped` if each service responds at the other's address. */
async function withSwapError(
  checks: readonly (ServiceCheck | null)[],
  { header, reached, networkOptions }: SwapCheckOptions,
  signal: AbortSignal,
): Promise<readonly (ServiceCheck | null)[]> {
  const isLoginMissing = header?.error?.is('not_found') ?? false;
  const isMissing = checks.every((check) => (check ? !hasResponded(check) : isLoginMissing));
  if (!isMissing || reached.size < services.length || !(await areSwapped(networkOptions, signal)))
    return checks;
  return checks.map((check) => ({ ms: check?.ms ?? 0, error: new AppError('addresses_swapped', {}) }));
}

function authStep(
  header: ServiceCheck | null,
  checks: readonly (ServiceCheck | null)[],
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
