import type { DiagnosisEvent, DiagnosisStep } from '../../shared/connections/diagnosis.ts';
import { AppError, isAppError, toAppError } from '../../shared/errors/errors.ts';
import { keychainInWords } from '../../shared/errors/sentences.ts';
import { openNetwork, type NetworkOptions } from '../http/network.ts';
import { probe, type ProbeStep } from '../http/probe.ts';
import type { Way } from '../services/open.ts';
import { areSwapped, ask, isThere, type Answered } from './check.ts';
import type { OpenConnection } from './book.ts';
import { reportOf, type Surroundings } from './report.ts';
import type { Slot } from './slot.ts';

export interface Patient {
  readonly way: Way;
  readonly method: 'api_key' | 'login';
  /** Null: the secret is not kept. */
  readonly slot: Slot | null;
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
  patient: Patient,
  surroundings: Surroundings,
  signal: AbortSignal,
): AsyncGenerator<DiagnosisEvent> {
  const steps: DiagnosisStep[] = [];
  const note = (step: DiagnosisStep): DiagnosisStep => {
    steps.push(step);
    return step;
  };
  yield note(await keychainStep(patient.slot));
  const reached = new Set<Service>();
  const network = openNetwork(networkOf(patient.way));
  try {
    for (const found of hostsOf(patient.way)) {
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
  for await (const step of serviceSteps(patient, reached, signal)) yield note(step);
  const ok = steps.every(({ state }) => state !== 'failed');
  const secrets = patient.opened.credential.secrets();
  yield { kind: 'end', ok, report: reportOf(steps, patient, surroundings, secrets) };
}

function networkOf(way: Way): NetworkOptions {
  const { env, dataUrl, platformUrl, authorities, resolveProxy, proxy, timeouts } = way;
  const tls = [dataUrl, platformUrl].some((url) => url.startsWith('https:'));
  return {
    tls,
    resolveProxy,
    proxy,
    authorities: authorities ?? [],
    ...(env ? { env } : {}),
    ...(timeouts ? { timeouts } : {}),
  };
}

/** Each host once, with the services that are reached there. */
function hostsOf({ dataUrl, platformUrl }: Way): { url: URL; services: [Service, ...Service[]] }[] {
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

async function keychainStep(slot: Slot | null): Promise<DiagnosisStep> {
  const began = performance.now();
  if (!slot || slot.state().place === 'session') {
    const trouble = slot?.state().trouble;
    const found = trouble
      ? `The secret is kept for this session only. ${keychainInWords(trouble)}`
      : 'The secret is not kept in the keychain.';
    return made('keychain', null, 'skipped', 0, found, null);
  }
  const { value, error } = await took(() => slot.read());
  const ms = Math.round(performance.now() - began);
  if (error) return made('keychain', null, 'failed', ms, error.message, error);
  if (value) return made('keychain', null, 'ok', ms, 'The keychain is open, and the secret is in it.', null);
  const missing = 'There is no secret in the keychain for this connection.';
  return { ...made('keychain', null, 'failed', ms, missing, null), advice: 'Give the key, or log in again.' };
}

/** Authentication, then both services: asked together, because only their answers tell whether a key is good. */
async function* serviceSteps(
  { opened, way, method }: Patient,
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
  readonly way: Way;
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
  if (letIn) return made('auth', host, 'ok', header.ms, 'The key or login was accepted.', null);
  return made(
    'auth',
    host,
    'skipped',
    header.ms,
    'No service was there to say whether the key is good.',
    null,
  );
}

function serviceStep(service: Service, host: string, answer: Answered | null): DiagnosisStep {
  if (!answer) return made(service, host, 'skipped', 0, 'Not reached.', null);
  if (answer.error) return made(service, host, 'failed', answer.ms, answer.error.message, answer.error);
  return made(service, host, 'ok', answer.ms, `The ${service} service answers.`, null);
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
