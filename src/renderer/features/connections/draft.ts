import type * as z from 'zod';
import {
  connectionChange,
  connectionDraft,
  type Connection,
  type ConnectionChange,
  type ConnectionDraft,
} from '../../../shared/connections/connections.ts';
import type { ConnectionOrDraft } from '../../../shared/contract/connections.ts';
import type { GrantedFile } from '../../../shared/files/files.ts';
import { schemaIssues } from '../../../shared/errors/errors.ts';
import { problemsByField } from '../../state/problems.ts';
import type { Checked } from '../../state/use-form.ts';
import { isSameJson } from '../../state/use-stable.ts';
import { toCredential, type SecretInputs } from './connections.ts';

/** A file of the connection: the current one, none, or another. */
export type FileSelection =
  | { readonly kind: 'kept' | 'none' }
  | { readonly kind: 'file'; readonly file: GrantedFile };

export interface DraftInputs extends SecretInputs {
  readonly name: string;
  readonly color: Connection['color'];
  readonly dataUrl: string;
  readonly platformUrl: string;
  readonly readOnly: boolean;
  /** Whether to store credentials in the keychain; only for new connections. */
  readonly remember: boolean;
  /** Certificates to trust in addition to the system's. */
  readonly caFile: FileSelection;
  /** Shown to gateways that require one. */
  readonly clientCertificate: FileSelection;
  /** Its key, if it is in another file. */
  readonly clientKey: FileSelection;
  /** Empty: the current one, or none. */
  readonly passphrase: string;
  /** Empty: the system's proxy settings. */
  readonly proxyAddress: string;
  readonly proxyUser: string;
  readonly proxyPassword: string;
}
export const advancedFields = [
  'caFile',
  'clientCertificate',
  'clientKey',
  'passphrase',
  'proxyAddress',
  'proxyUser',
  'proxyPassword',
] as const;
const draftFields = [
  'name',
  'dataUrl',
  'platformUrl',
  'apiKey',
  'email',
  'password',
  ...advancedFields,
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
  caFile: { kind: 'none' },
  clientCertificate: { kind: 'none' },
  clientKey: { kind: 'none' },
  passphrase: '',
  proxyAddress: '',
  proxyUser: '',
  proxyPassword: '',
};

export function connectionInputs({
  name,
  color,
  dataUrl,
  platformUrl,
  method,
  email = '',
  readOnly,
  proxy,
  clientCertificate,
  clientKey,
}: Connection): DraftInputs {
  const proxyInputs = { proxyAddress: proxy?.address ?? '', proxyUser: proxy?.user ?? '' };
  const inputs = { name, color, dataUrl, platformUrl, method, email, readOnly, ...proxyInputs };
  const selectionOf = (name: string | undefined) =>
    ({ kind: name === undefined ? 'none' : 'kept' }) satisfies FileSelection;
  return {
    ...emptyDraft,
    ...inputs,
    caFile: { kind: 'kept' },
    clientCertificate: selectionOf(clientCertificate),
    clientKey: selectionOf(clientKey),
  };
}

/** The name of a selected file; undefined: none. @param current that of the connection */
export function nameOfFile(selection: FileSelection, current: string | undefined): string | undefined {
  if (selection.kind === 'file') return selection.file.name;
  return selection.kind === 'kept' ? current : undefined;
}

/** Whether the key of a client certificate can be in another file: not with PKCS#12. */
export const needsKeyFile = (name: string): boolean => !/\.(p12|pfx)$/i.test(name);

/**
 * The form field for a path of the draft, such as `apiKey` for `draft.credential.apiKey`. Problems with the
 * credentials as a whole appear at their first field.
 */
export function draftField(path: string, method: Connection['method'] = 'api_key'): DraftField | undefined {
  if (path === 'credential' || path.endsWith('.credential'))
    return method === 'api_key' ? 'apiKey' : 'password';
  const [, ofProxy] = /(?:^|\.)proxy(?:\.(address|user|password))?$/.exec(path) ?? [];
  if (/(?:^|\.)proxy(?:\.|$)/.test(path))
    return ofProxy === 'user' ? 'proxyUser' : ofProxy === 'password' ? 'proxyPassword' : 'proxyAddress';
  if (path.endsWith('clientCertificate.keyFile')) return 'clientKey';
  if (path.endsWith('clientCertificate.file')) return 'clientCertificate';
  return draftFields.find((field) => path === field || path.endsWith(`.${field}`));
}

type DraftResult<T> = Checked<T, DraftField>;

function commonInputs(inputs: DraftInputs) {
  const { name, color, dataUrl, platformUrl, readOnly } = inputs;
  const [data, platform] = [dataUrl.trim(), platformUrl.trim()];
  return { name, color, dataUrl: data, platformUrl: platform, readOnly, proxy: parseProxy(inputs) };
}

/** The proxy in the inputs; undefined: none. */
function parseProxy({ proxyAddress, proxyUser, proxyPassword }: DraftInputs) {
  const user = proxyUser.trim();
  if (proxyAddress.trim() === '') return undefined;
  return {
    address: proxyAddress,
    ...(user === '' ? {} : { user }),
    ...(proxyPassword === '' ? {} : { password: proxyPassword }),
  };
}

/** The client certificate in the inputs: what differs from the current one. */
const clientCertificateIn = ({ clientCertificate, clientKey, passphrase }: DraftInputs) => ({
  ...(clientCertificate.kind === 'file' ? { file: clientCertificate.file.token } : {}),
  ...(clientKey.kind === 'file' ? { keyFile: clientKey.file.token } : {}),
  ...(passphrase === '' ? {} : { passphrase }),
});

/** The change of the client certificate; null: none from now on, undefined: no change. */
function clientCertificateChange({ clientCertificate }: Connection, inputs: DraftInputs) {
  if (inputs.clientCertificate.kind === 'none') return clientCertificate === undefined ? undefined : null;
  const change = clientCertificateIn(inputs);
  return Object.keys(change).length === 0 ? undefined : change;
}

export function parseDraft(inputs: DraftInputs): DraftResult<ConnectionDraft> {
  const { caFile, clientCertificate, remember } = inputs;
  return toResult(
    connectionDraft.safeParse({
      ...commonInputs(inputs),
      credential: toCredential(inputs),
      remember,
      ...(caFile.kind === 'file' ? { caFile: caFile.file.token } : {}),
      ...(clientCertificate.kind === 'file' ? { clientCertificate: clientCertificateIn(inputs) } : {}),
    }),
  );
}

/** What differs, so that a change in another window meanwhile stays; null: no proxy from now on. */
function commonChange(connection: Connection, inputs: DraftInputs) {
  const before = new Map<string, unknown>(Object.entries(commonInputs(connectionInputs(connection))));
  return Object.fromEntries(
    Object.entries(commonInputs(inputs))
      .filter(([field, value]) => !isSameJson(value, before.get(field)))
      .map(([field, value]) => [field, value ?? null]),
  );
}

/**
 * The change of a connection from the inputs, or problems by field. Empty credentials keep the current ones,
 * unless new ones are required.
 * @param connection as the inputs had it at first
 * @param needed the message if credentials are required
 */
export function parseChange(
  connection: Connection,
  inputs: DraftInputs,
  needed: string,
): DraftResult<ConnectionChange> {
  const { caFile, method, email } = inputs;
  const isOther = method !== connection.method || (method === 'login' && email.trim() !== connection.email);
  const isGiven = (method === 'api_key' ? inputs.apiKey.trim() : inputs.password) !== '';
  const certificate = clientCertificateChange(connection, inputs);
  const result = toResult(
    connectionChange.safeParse({
      connection: connection.id,
      ...commonChange(connection, inputs),
      ...(isGiven ? { credential: toCredential(inputs) } : {}),
      ...(caFile.kind === 'kept' ? {} : { caFile: caFile.kind === 'file' ? caFile.file.token : null }),
      ...(certificate === undefined ? {} : { clientCertificate: certificate }),
    }),
  );
  if (!isOther || isGiven) return result;
  const field = method === 'api_key' ? 'apiKey' : 'password';
  return { ok: false, problems: { ...(result.ok ? {} : result.problems), [field]: { message: needed } } };
}

export function diagnosticsSubject(
  connection: Connection | undefined,
  inputs: DraftInputs,
  needed: string,
): DraftResult<ConnectionOrDraft> {
  if (!connection) {
    const draft = parseDraft(inputs);
    return draft.ok ? { ok: true, value: { draft: draft.value } } : draft;
  }
  const change = parseChange(connection, inputs, needed);
  return change.ok ? { ok: true, value: { change: change.value } } : change;
}

function toResult<T>(parsed: z.ZodSafeParseResult<T>): DraftResult<T> {
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, problems: problemsByField(schemaIssues(parsed.error.issues), draftField).problems };
}
