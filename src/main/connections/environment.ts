import {
  credential as credentialSchema,
  serviceUrl,
  type Credential,
} from '../../shared/connections/connections.ts';
import { AppError, type Issue } from '../../shared/errors/errors.ts';
import { parseApiKey } from '../services/api-key.ts';
import type { Facts } from './book.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The id of the connection that the variables describe: the same in every process. */
export const environmentId = 'environment';

const variables = {
  dataUrl: 'WELLBENCH_DATA_URL',
  platformUrl: 'WELLBENCH_PLATFORM_URL',
  apiKey: 'WELLBENCH_API_KEY',
  email: 'WELLBENCH_EMAIL',
  password: 'WELLBENCH_PASSWORD',
} as const;

/** Whether any variable of a connection is set. */
export function inEnvironment(env: Environment): boolean {
  return Object.values(variables).some((name) => (env[name] ?? '') !== '');
}

/**
 * The connection that the environment describes.
 * @throws AppError `invalid_input` with an issue for each variable that is missing or malformed; no value is shown
 */
export function readEnvironment(env: Environment): { facts: Facts; credential: Credential } {
  const issues: Issue[] = [];
  const dataUrl = address(env, variables.dataUrl, issues);
  const platformUrl = address(env, variables.platformUrl, issues);
  const credential = credentialIn(env, issues);
  if (issues.length > 0 || credential === null) throw new AppError('invalid_input', { issues });
  const facts: Facts = {
    id: environmentId,
    name: new URL(dataUrl).host,
    color: 'grey',
    dataUrl,
    platformUrl,
    method: credential.method,
    readOnly: false,
    sample: false,
    authorities: [],
    saved: false,
  };
  return { facts, credential };
}

function address(env: Environment, name: string, issues: Issue[]): string {
  const text = env[name]?.trim() ?? '';
  const parsed = serviceUrl.safeParse(text);
  if (text !== '' && parsed.success) return parsed.data;
  const message =
    text === '' ? 'This variable is not set.' : (parsed.error?.issues[0]?.message ?? 'Not an address.');
  issues.push({ message, place: { field: name } });
  return '';
}

function credentialIn(env: Environment, issues: Issue[]): Credential | null {
  const { apiKey, email, password } = variables;
  if (env[apiKey]) return keyIn(env[apiKey], issues);
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

function keyIn(text: string, issues: Issue[]): Credential | null {
  try {
    return { method: 'api_key', apiKey: parseApiKey(text, variables.apiKey) };
  } catch (error) {
    if (!(error instanceof AppError) || !error.is('invalid_input')) throw error;
    issues.push(...error.details.issues);
    return null;
  }
}
