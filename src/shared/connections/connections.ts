import * as z from 'zod';
import { keychainTrouble, refusalReason } from '../errors/errors.ts';
import { fileToken } from '../files/files.ts';

export const connectionId = z.string().min(1).max(200);

/** The authentication methods (specification, section 5). Credentials enter main and never return. */
export const credential = z.discriminatedUnion('method', [
  z.object({ method: z.literal('api_key'), apiKey: z.string().min(1, 'Enter an API key.').max(4096) }),
  z.object({
    method: z.literal('login'),
    email: z.string().trim().min(3, 'Enter the email address.').max(320),
    password: z.string().min(1, 'Enter the password.').max(4096),
  }),
]);
export type Credential = z.infer<typeof credential>;

const onThisMachine = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/i;

// Two slashes and a host: readers of addresses also take "https:///user:key@host" for one with a user.
const hostOnly = /^\s*[a-z]+:\/\/[^/\\@]+(?:\/|$)/i;

/** An address without a scheme gets https, or http for this computer. */
function withScheme(typed: string): string {
  const text = typed.trim();
  if (text === '' || /^(?:[a-z][a-z0-9+.-]*:\/\/|https?[:/])/i.test(text)) return text;
  return onThisMachine.test(`http://${text}`) ? `http://${text}` : `https://${text}`;
}

/** A service address: https, or http on this computer only; without credentials, query, and fragment. */
export const serviceUrl = z
  .string()
  .transform(withScheme)
  .pipe(
    z
      .url({ protocol: /^https?$/, error: 'Enter an address that begins with https://.' })
      .max(2048)
      .refine(
        (text) => /^https:\/\//i.test(text) || onThisMachine.test(text),
        'The address must begin with https:// (http is for this computer only).',
      )
      .refine(
        (text) => hostOnly.test(text) && !/[?#]/.test(text),
        'Remove the user name, password, query, or fragment from the address.',
      )
      .transform((text) => text.replace(/(?<!\/)\/+$/, '')),
  );

/**
 * The address of a proxy: `host:port`, with http:// unless https:// is given; user and password are separate.
 */
export const proxyAddress = z
  .string()
  .transform((typed) => (/^\s*$|:\/\//.test(typed) ? typed.trim() : `http://${typed.trim()}`))
  .pipe(
    z
      .url({ protocol: /^https?$/, error: 'Enter the proxy as host:port.' })
      .max(2048)
      .refine(
        (text) => hostOnly.test(text) && !/[?#]/.test(text),
        'Enter the proxy as host:port, and its user name and password in their own fields.',
      )
      .transform((text) => text.replace(/^([a-z]+:\/\/[^/]+).*$/i, '$1')),
  );

/** The proxy of a connection, which replaces the system's. */
const connectionProxy = z.object({
  address: proxyAddress,
  user: z.string().trim().min(1).max(320).optional(),
});
export type ConnectionProxy = z.infer<typeof connectionProxy>;

const proxyDraft = connectionProxy
  .extend({
    /** Enters main and never returns. Absent: the stored one remains if address and user do. */
    password: z.string().min(1).max(4096).optional(),
  })
  .refine(({ user, password }) => password === undefined || user !== undefined, {
    path: ['user'],
    message: 'Enter the proxy user too.',
  });

/** A certificate for a gateway that requires one: PKCS#12, or PEM with its key, which can be a file of its own. */
const clientCertificateDraft = z.object({
  file: fileToken,
  keyFile: fileToken.optional(),
  /** Enters main and never returns. */
  passphrase: z.string().min(1).max(4096).optional(),
});

/** An absent file or passphrase remains; those of another certificate don't. */
const clientCertificateChange = clientCertificateDraft.partial({ file: true });

export const connectionColor = z.enum(['blue', 'green', 'amber', 'red', 'violet', 'grey']);

const connectionName = z.string().trim().min(1, 'Enter a name for the connection.').max(100);

export const connectionDraft = z.object({
  name: connectionName,
  color: connectionColor.default('blue'),
  dataUrl: serviceUrl,
  platformUrl: serviceUrl,
  credential,
  readOnly: z.boolean().default(false),
  /** Certificates of a private authority, trusted beside the system's: a file in PEM or DER. */
  caFile: fileToken.optional(),
  clientCertificate: clientCertificateDraft.optional(),
  /** Absent: the system's proxy settings. */
  proxy: proxyDraft.optional(),
  /** False: keep the secret for this session only, although there may be a keychain. */
  remember: z.boolean().optional(),
  /** Save the connection although a service refuses the key or doesn't respond. */
  saveAnyway: z.boolean().optional(),
});
export type ConnectionDraft = z.infer<typeof connectionDraft>;

/** The changed fields of a saved connection; absent ones remain. */
export const connectionChange = z.object({
  connection: connectionId,
  name: connectionName.optional(),
  color: connectionColor.optional(),
  dataUrl: serviceUrl.optional(),
  platformUrl: serviceUrl.optional(),
  readOnly: z.boolean().optional(),
  /** Null: none. */
  caFile: fileToken.nullable().optional(),
  /** Null: none. */
  clientCertificate: clientCertificateChange.nullable().optional(),
  /** Null: the system's proxy settings. */
  proxy: proxyDraft.nullable().optional(),
  /** Required if an address leads to another host: credentials are never sent there without confirmation. */
  credential: credential.optional(),
  /** Save although a service refuses the new key or doesn't respond. */
  saveAnyway: z.boolean().optional(),
});
export type ConnectionChange = z.infer<typeof connectionChange>;

/** An authority that a connection trusts beside the system's. */
export const authority = z.object({
  name: z.string(),
  /** ISO 8601, UTC. */
  ends: z.string(),
});

export const connection = z.object({
  id: connectionId,
  name: z.string(),
  color: connectionColor,
  dataUrl: z.string(),
  platformUrl: z.string(),
  method: z.enum(['api_key', 'login']),
  /**
   * Where the secret is: in memory for this session, in the system's keychain, or in the environment.
   * `missing`: it must be entered again, because the session ended or the tokens expired.
   */
  secret: z.enum(['session', 'keychain', 'environment', 'missing']),
  /** Why the secret isn't in the keychain, or can't be read from it. */
  keychain: keychainTrouble.optional(),
  /** Why the password of its proxy, or the secret of its certificate, isn't in the keychain, but kept for this session. */
  extraKeychain: keychainTrouble.optional(),
  /** Why the services refuse the credentials; absent if they don't. */
  refused: refusalReason.optional(),
  readOnly: z.boolean(),
  sample: z.boolean(),
  /** Whether it is saved for the next start. */
  saved: z.boolean().optional(),
  email: z.string().optional(),
  /** When its secret was replaced, perhaps by that of another account: ISO 8601, UTC. */
  replacedAt: z.string().optional(),
  authorities: z.array(authority).optional(),
  /** The name of the file of its client certificate; its path, its key, and its passphrase stay in main. */
  clientCertificate: z.string().optional(),
  /** The name of the file of its key; absent: the key is in the same file. */
  clientKey: z.string().optional(),
  /** Its password stays in main. */
  proxy: connectionProxy.optional(),
});
export type Connection = z.infer<typeof connection>;
