import {
  connectionChange,
  connectionDraft,
  type Connection,
  type ConnectionChange,
  type ConnectionDraft,
  type ConnectionOrDraft,
} from '../../../shared/connections/connections.ts';
import type { Issue } from '../../../shared/errors/errors.ts';
import type { GrantedFile } from '../../../shared/files/files.ts';
import { problemsByField, type Problems } from '../../state/problems.ts';
import { secretFrom, type SecretInputs } from './secret.ts';

/** Which certificates a connection is to trust beside the system's: those it has, none, or those of a file. */
export type CaChoice =
  { readonly kind: 'kept' | 'none' } | { readonly kind: 'file'; readonly file: GrantedFile };

/** What a person types and chooses in the connection form. */
export interface DraftInputs extends SecretInputs {
  readonly name: string;
  readonly color: Connection['color'];
  readonly dataUrl: string;
  readonly platformUrl: string;
  readonly readOnly: boolean;
  /** Whether the secret is kept in the keychain; asked of new connections only. */
  readonly remember: boolean;
  readonly ca: CaChoice;
  /** Empty: the system's proxy settings. */
  readonly proxyAddress: string;
  readonly proxyUser: string;
  readonly proxyPassword: string;
}
export const draftFields = [
  'name',
  'dataUrl',
  'platformUrl',
  'apiKey',
  'email',
  'password',
  'caFile',
  'proxyAddress',
  'proxyUser',
  'proxyPassword',
] as const;
export type DraftField = (typeof draftFields)[number];

export const emptyDraft: DraftInputs = {
  name: '',
  color: 'blue',
  dataUrl: '',
  platformUrl: '',
  method: 'api_key',
  apiKey: '',
  email: '',
  password: '',
  readOnly: false,
  remember: true,
  ca: { kind: 'none' },
  proxyAddress: '',
  proxyUser: '',
  proxyPassword: '',
};

/** What the form begins with for a connection that there is. */
export function inputsOf({
  name,
  color,
  dataUrl,
  platformUrl,
  method,
  email = '',
  readOnly,
  proxy,
}: Connection): DraftInputs {
  const ofProxy = { proxyAddress: proxy?.address ?? '', proxyUser: proxy?.user ?? '' };
  const known = { name, color, dataUrl, platformUrl, method, email, readOnly, ...ofProxy };
  return { ...emptyDraft, ...known, ca: { kind: 'kept' } };
}

/**
 * The field of the form that a path of the draft stands in: `draft.credential.apiKey` is `apiKey`; what is wrong with
 * the secret as a whole stands at the secret.
 */
export function draftField(path: string, method: Connection['method'] = 'api_key'): DraftField | undefined {
  if (path === 'credential' || path.endsWith('.credential'))
    return method === 'api_key' ? 'apiKey' : 'password';
  const [, ofProxy] = /(?:^|\.)proxy(?:\.(address|user|password))?$/.exec(path) ?? [];
  if (/(?:^|\.)proxy(?:\.|$)/.test(path))
    return ofProxy === 'user' ? 'proxyUser' : ofProxy === 'password' ? 'proxyPassword' : 'proxyAddress';
  return draftFields.find((field) => path === field || path.endsWith(`.${field}`));
}

export type Made<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problems: Problems<DraftField> };

const common = ({ name, color, dataUrl, platformUrl, readOnly }: DraftInputs) => ({
  name,
  color,
  dataUrl: dataUrl.trim(),
  platformUrl: platformUrl.trim(),
  readOnly,
});

/** The proxy that the inputs name; undefined: none. */
function proxyFrom({ proxyAddress, proxyUser, proxyPassword }: DraftInputs) {
  const user = proxyUser.trim();
  if (proxyAddress.trim() === '') return undefined;
  return {
    address: proxyAddress,
    ...(user === '' ? {} : { user }),
    ...(proxyPassword === '' ? {} : { password: proxyPassword }),
  };
}

/** The draft that the inputs make, or what is wrong with them, by field. */
export function draftFrom(inputs: DraftInputs): Made<ConnectionDraft> {
  const { ca, remember } = inputs;
  return checked(
    connectionDraft.safeParse({
      ...common(inputs),
      credential: secretFrom(inputs),
      remember,
      proxy: proxyFrom(inputs),
      ...(ca.kind === 'file' ? { caFile: ca.file.token } : {}),
    }),
  );
}

/**
 * The change that the inputs make of a connection, or what is wrong with them, by field. An empty secret stays as it
 * is, unless it has to be another one.
 * @param needed what is said where it has to be
 */
export function changeFrom(
  connection: Connection,
  inputs: DraftInputs,
  needed: string,
): Made<ConnectionChange> {
  const { ca, method, email } = inputs;
  const isOther = method !== connection.method || (method === 'login' && email.trim() !== connection.email);
  const isGiven = (method === 'api_key' ? inputs.apiKey.trim() : inputs.password) !== '';
  const made = checked(
    connectionChange.safeParse({
      connection: connection.id,
      ...common(inputs),
      ...(isGiven ? { credential: secretFrom(inputs) } : {}),
      ...(connection.proxy || proxyFrom(inputs) ? { proxy: proxyFrom(inputs) ?? null } : {}),
      ...(ca.kind === 'kept' ? {} : { caFile: ca.kind === 'file' ? ca.file.token : null }),
    }),
  );
  if (!isOther || isGiven) return made;
  const field = method === 'api_key' ? 'apiKey' : 'password';
  return { ok: false, problems: { ...(made.ok ? {} : made.problems), [field]: { message: needed } } };
}

/** What the form is about as it stands: a new connection, or the change of one that there is. */
export function subjectFrom(
  connection: Connection | undefined,
  inputs: DraftInputs,
  needed: string,
): Made<ConnectionOrDraft> {
  if (!connection) {
    const made = draftFrom(inputs);
    return made.ok ? { ok: true, value: { draft: made.value } } : made;
  }
  const made = changeFrom(connection, inputs, needed);
  return made.ok ? { ok: true, value: { change: made.value } } : made;
}

type Parsed<T> =
  | { readonly success: true; readonly data: T }
  | {
      readonly success: false;
      readonly error: { readonly issues: readonly { message: string; path: PropertyKey[] }[] };
    };

function checked<T>(parsed: Parsed<T>): Made<T> {
  if (parsed.success) return { ok: true, value: parsed.data };
  const issues = parsed.error.issues.map(({ message, path }): Issue => ({
    message,
    place: { field: path.map(String).join('.') },
  }));
  return { ok: false, problems: problemsByField(issues, draftField).problems };
}
