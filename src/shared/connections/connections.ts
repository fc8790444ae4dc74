import * as z from 'zod';
import { errorCodes, keychainTrouble, refusalReason } from '../errors/errors.ts';
import { fileToken } from '../files/files.ts';

export const connectionId = z.string().min(1).max(200);

/** How requests prove who asks (specification, section 5). The secret itself enters main and never comes back. */
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
const hostAlone = /^\s*[a-z]+:\/\/[^/\\@]+(?:\/|$)/i;

/** An address that is typed without a scheme gets https, or http where it is of this machine. */
function withScheme(typed: string): string {
  const text = typed.trim();
  if (text === '' || /^(?:[a-z][a-z0-9+.-]*:\/\/|https?[:/])/i.test(text)) return text;
  return onThisMachine.test(`http://${text}`) ? `http://${text}` : `https://${text}`;
}

/** A service address: https, or http on this machine only; no credentials, query or fragment in it. */
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
        (text) => hostAlone.test(text) && !/[?#]/.test(text),
        'Remove the user name, password, query, or fragment from the address.',
      )
      .transform((text) => text.replace(/\/+$/, '')),
  );

/** The address of a proxy: `host:port`, with http:// unless https:// is given; its user and password stand apart. */
export const proxyAddress = z
  .string()
  .transform((typed) => (/^\s*$|:\/\//.test(typed) ? typed.trim() : `http://${typed.trim()}`))
  .pipe(
    z
      .url({ protocol: /^https?$/, error: 'Enter the proxy as host:port.' })
      .max(2048)
      .refine(
        (text) => hostAlone.test(text) && !/[?#]/.test(text),
        'Enter the proxy as host:port, and its user name and password in their own fields.',
      )
      .transform((text) => text.replace(/^([a-z]+:\/\/[^/]+).*$/i, '$1')),
  );

/** The proxy of a connection, which takes the place of the system's. */
const connectionProxy = z.object({
  address: proxyAddress,
  user: z.string().trim().min(1).max(320).optional(),
});
export type ConnectionProxy = z.infer<typeof connectionProxy>;

const proxyDraft = connectionProxy
  .extend({
    /** Enters main and never comes back. Absent: the one that is kept stays, where address and user do. */
    password: z.string().min(1).max(4096).optional(),
  })
  .refine(({ user, password }) => password === undefined || user !== undefined, {
    path: ['user'],
    message: 'Enter the proxy user too.',
  });

export const connectionColor = z.enum(['blue', 'green', 'amber', 'red', 'violet', 'grey']);

const connectionName = z.string().trim().min(1, 'Enter a name for the connection.').max(100);

export const connectionDraft = z.object({
  name: connectionName,
  color: connectionColor.default('blue'),
  dataUrl: serviceUrl,
  platformUrl: serviceUrl,
  credential,
  readOnly: z.boolean().default(false),
  /** Certificates of a company's own authority, which are trusted beside the system's: a file in PEM or DER. */
  caFile: fileToken.optional(),
  /** Absent: the system's proxy settings. */
  proxy: proxyDraft.optional(),
  /** False: keep the secret for this session only, although there may be a keychain. */
  remember: z.boolean().optional(),
  /** Keep it although a service does not accept the key, or does not answer. */
  saveAnyway: z.boolean().optional(),
});
export type ConnectionDraft = z.infer<typeof connectionDraft>;

/** What is to be another in a saved connection; what is absent stays. */
export const connectionChange = z.object({
  connection: connectionId,
  name: connectionName.optional(),
  color: connectionColor.optional(),
  dataUrl: serviceUrl.optional(),
  platformUrl: serviceUrl.optional(),
  readOnly: z.boolean().optional(),
  /** Null: none. */
  caFile: fileToken.nullable().optional(),
  /** Null: the system's proxy settings. */
  proxy: proxyDraft.nullable().optional(),
  /** Needed where an address leads to another host: a secret goes nowhere unasked. */
  credential: credential.optional(),
  /** Keep it although a service does not accept the new key, or does not answer. */
  saveAnyway: z.boolean().optional(),
});
export type ConnectionChange = z.infer<typeof connectionChange>;

/** An authority whose certificates a connection trusts beside the system's. */
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
   * Where the secret is kept: for this session only, in the system's keychain, or in the environment. `missing`: there
   * is none, because it was kept for a session that is over or a login has ended; it has to be given again.
   */
  secret: z.enum(['session', 'keychain', 'environment', 'missing']),
  /** Why the secret is not in the keychain, or can't be had from it. */
  keychain: keychainTrouble.optional(),
  /** Why the services let its secret in no more; absent: they do, as far as it is known. */
  refused: refusalReason.optional(),
  readOnly: z.boolean(),
  sample: z.boolean(),
  /** Whether it is there again at the next start. */
  saved: z.boolean().optional(),
  /** Of a login. */
  email: z.string().optional(),
  authorities: z.array(authority).optional(),
  /** Its password stays in main. */
  proxy: connectionProxy.optional(),
});
export type Connection = z.infer<typeof connection>;

const checkedService = z.object({
  ok: z.boolean(),
  ms: z.number(),
  message: z.string(),
  /** What went wrong; null when nothing did. */
  code: z.enum(errorCodes).nullable(),
});
export const connectionCheck = z.object({ data: checkedService, platform: checkedService });
export type ConnectionCheck = z.infer<typeof connectionCheck>;

/** Profiles as text: everything but secrets, for colleagues or another machine. */
export const exportedProfiles = z.object({ suggestedName: z.string(), text: z.string() });
export const importedProfiles = z.object({
  added: z.array(connection),
  /** What was left out, and why, in words. */
  problems: z.array(z.string()),
});

/** A connection that is saved, one that is about to be, or a saved one as it would be after a change. */
export const connectionOrDraft = z.union([
  z.object({ connection: connectionId }),
  z.object({ draft: connectionDraft }),
  z.object({ change: connectionChange }),
]);
export type ConnectionOrDraft = z.infer<typeof connectionOrDraft>;
