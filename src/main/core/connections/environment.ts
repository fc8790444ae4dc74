import { resolve } from 'node:path';
import {
  credential as credentialSchema,
  serviceUrl,
  type Credential,
} from '../../../shared/connections/connections.ts';
import { AppError, isAppError, type Issue } from '../../../shared/errors/errors.ts';
import { parseApiKey } from '../wire/services/api-key.ts';
import type { StoredClientCertificate } from './stored-profiles.ts';
import type { ConnectionProfile } from './registry.ts';
import { append } from '../../../shared/lists.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The id of the environment's connection, the same in every process. */
export const environmentId = 'environment';

const variables = {
  dataUrl: 'WELLBENCH_DATA_URL',
  platformUrl: 'WELLBENCH_PLATFORM_URL',
  apiKey: 'WELLBENCH_API_KEY',
  email: 'WELLBENCH_EMAIL',
  password: 'WELLBENCH_PASSWORD',
} as const;

/** The files of a client certificate, and its passphrase, which a saved connection gets from here too. */
const certificateVariables = {
  file: 'WELLBENCH_CLIENT_CERT',
  key: 'WELLBENCH_CLIENT_KEY',
  passphrase: 'WELLBENCH_CLIENT_PASSPHRASE',
} as const;

/** The passphrase of a client certificate; null: none. */
export const environmentPassphrase = (env: Environment): string | null =>
  env[certificateVariables.passphrase] || null;

function clientCertificateIn(env: Environment): StoredClientCertificate {
  const path = env[certificateVariables.file];
  const keyPath = env[certificateVariables.key];
  if (!path) return undefined;
  return { path: resolve(path), ...(keyPath ? { keyPath: resolve(keyPath) } : {}), account: environmentId };
}

/** Whether any variable of a connection is set. */
export function isInEnvironment(env: Environment): boolean {
  return Object.values(variables).some((name) => (env[name] ?? '') !== '');
}

/**
 * The connection of the environment.
 * @throws AppError `invalid_input` with an issue for each variable that is missing or malformed; no issue
 *   contains a value
 */
export function readEnvironment(env: Environment): { profile: ConnectionProfile; credential: Credential } {
  const issues: Issue[] = [];
  const dataUrl = readUrl(env, variables.dataUrl, issues);
  const platformUrl = readUrl(env, variables.platformUrl, issues);
  const credential = readCredential(env, issues);
  if (issues.length > 0 || credential === null) throw new AppError('invalid_input', { issues });
  const profile: ConnectionProfile = {
    id: environmentId,
    name: new URL(dataUrl).host,
    color: 'grey',
    dataUrl,
    platformUrl,
    method: credential.method,
    readOnly: false,
    sample: false,
    authorities: [],
    clientCertificate: clientCertificateIn(env),
    saved: false,
  };
  return { profile, credential };
}

function readUrl(env: Environment, name: string, issues: Issue[]): string {
  const text = env[name]?.trim() ?? '';
  const parsed = serviceUrl.safeParse(text);
  if (text !== '' && parsed.success) return parsed.data;
  const message =
    text === '' ? 'This variable is not set.' : (parsed.error?.issues[0]?.message ?? 'Not an address.');
  issues.push({ message, place: { field: name } });
  return '';
}

function readCredential(env: Environment, issues: Issue[]): Credential | null {
  const { apiKey, email, password } = variables;
  if (env[apiKey]) return readKey(env[apiKey], issues);
  if (!env[email] && !env[password]) {
    const message = `This variable is not set. Set it, or ${email} and ${password}.`;
    issues.push({ message, place: { field: apiKey } });
    return null;
  }
  for (const name of [email, password]) {
    if (!env[name]) issues.push({ message: 'This variable is not set.', place: { field: name } });
  }
  if (!env[email] || !env[password]) return null;
  const login = credentialSchema.safeParse({
    method: 'login',
    email: env[email].trim(),
    password: env[password],
  });
  if (login.success) return login.data;
  for (const { path, message } of login.error.issues) {
    issues.push({ message, place: { field: path[0] === 'password' ? password : email } });
  }
  return null;
}

function readKey(text: string, issues: Issue[]): Credential | null {
  try {
    return { method: 'api_key', apiKey: parseApiKey(text, variables.apiKey) };
  } catch (error) {
    if (!isAppError(error, 'invalid_input')) throw error;
    append(issues, error.details.issues);
    return null;
  }
}
