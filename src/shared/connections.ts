import * as z from 'zod';
import { errorCodes } from './errors.ts';

export const connectionId = z.string().min(1).max(200);

/** How requests prove who asks (specification, section 5). The secret itself enters main and never comes back. */
export const credential = z.discriminatedUnion('method', [
  z.object({ method: z.literal('api_key'), apiKey: z.string().min(1, 'Give the API key.').max(4096) }),
  z.object({
    method: z.literal('login'),
    email: z.string().min(3).max(320),
    password: z.string().min(1).max(4096),
  }),
]);
export type Credential = z.infer<typeof credential>;

const onThisMachine = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/i;

// Two slashes and a host: readers of addresses also take "https:///user:key@host" for one with a user.
const hostAlone = /^\s*[a-z]+:\/\/[^/\\@]+(?:\/|$)/i;

/** A service address: https, or http on this machine only; no credentials, query or fragment in it. */
export const serviceUrl = z
  .url({ protocol: /^https?$/, error: 'Give an address that begins with https://.' })
  .max(2048)
  .refine(
    (text) => /^https:\/\//i.test(text) || onThisMachine.test(text),
    'The address must begin with https:// (http is only for this machine).',
  )
  .refine(
    (text) => hostAlone.test(text) && !/[?#]/.test(text),
    'The address must not hold a user, a password, a query or a fragment.',
  )
  .transform((text) => text.replace(/\/+$/, ''));

export const connectionColor = z.enum(['blue', 'green', 'amber', 'red', 'violet', 'grey']);

export const connectionDraft = z.object({
  name: z.string().trim().min(1, 'Give the connection a name.').max(100),
  color: connectionColor.default('blue'),
  dataUrl: serviceUrl,
  platformUrl: serviceUrl,
  credential,
  readOnly: z.boolean().default(false),
});
export type ConnectionDraft = z.infer<typeof connectionDraft>;

export const connection = z.object({
  id: connectionId,
  name: z.string(),
  color: connectionColor,
  dataUrl: z.string(),
  platformUrl: z.string(),
  method: z.enum(['api_key', 'login']),
  /** Where the secret is kept: for this session only, in the system's keychain, or in the environment. */
  secret: z.enum(['session', 'keychain', 'environment']),
  readOnly: z.boolean(),
  sample: z.boolean(),
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
