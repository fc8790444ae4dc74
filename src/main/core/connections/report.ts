import { arch, release } from 'node:os';
import type { DiagnosisStep } from '../../../shared/connections/diagnosis.ts';
import { redact } from '../wire/http/redact.ts';
import { environmentSecrets } from '../logger.ts';
import type { DiagnosisTarget } from './diagnose.ts';
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
