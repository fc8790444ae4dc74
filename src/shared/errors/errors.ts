import * as z from 'zod';
import { sentenceFor } from './sentences.ts';

// Control characters can move a terminal's cursor and change what it shows; directional formatting characters and line
// separators can show a name or a value as another one. All of them are of the basic plane.
const hidden = String.raw`[\p{Cc}\p{Bidi_Control}\u2028\u2029]`;
const inText = new RegExp(String.raw`(?!\n|\t|\r\n)${hidden}`, 'gu');
const inLine = new RegExp(hidden, 'gu');

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Escapes characters that could change how a text is displayed, as `\uXXXX`, which keeps the value of JSON.
 * Line breaks and tabs remain. For display only: in a file name the backslash would form a path.
 */
export const visibleText = (text: string): string => text.replace(inText, escaped);

/** {@link visibleText} for what has one line, such as the cell of a table: line ends and tabs are escaped too. */
export const visibleLine = (text: string): string => text.replace(inLine, escaped);

/** A place in the user's input. Lines and columns count from 1, bytes from 0. */
const place = z.object({
  field: z.string().optional(),
  file: z.string().optional(),
  /** A worksheet or another table of the file. */
  table: z.string().optional(),
  row: z.int().optional(),
  element: z.int().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
  byte: z.int().optional(),
});

/** Whole lists for scripts, of which a message shows the first entries only. */
const issueLists = z
  .object({
    /** Names of wells, as the file has them. */
    wells: z.array(z.string()),
    /** The columns of the file, as a mapping calls them. */
    columns: z.array(z.string()),
    /** The tables of the file, or of SQL. */
    tables: z.array(z.string()),
    /** The fields that the dataset needs and nothing fills. */
    missing: z.array(z.string()),
  })
  .partial();

export const issue = z.object({
  message: z.string(),
  place: place.optional(),
  lists: issueLists.optional(),
});

const service = z.enum(['data', 'platform']);

const serviceResponse = z.object({
  service,
  status: z.int().optional(),
  /** The service's message, shortened, without secrets. */
  said: z.string().optional(),
});

/** How long the service asks to wait (`Retry-After`), and until when: ISO 8601, UTC. */
const requestedWait = { retryAfterMs: z.number().optional(), until: z.string().optional() };

/**
 * Why credentials were refused, if that can be determined. `key_expired`: the service reports it;
 * `key_ended`: the key was accepted before, so it expired or was revoked or replaced; `key_unknown`: it was
 * never accepted; `login_wrong`: wrong email or password; `login_needed`: the session expired;
 * `secret_missing`: there are no credentials.
 */
export const refusalReason = z.enum([
  'key_expired',
  'key_ended',
  'key_unknown',
  'login_wrong',
  'login_needed',
  'secret_missing',
]);

/**
 * Why the keychain can't be used. `absent`: there is none; `locked`: it wasn't unlocked; `denied`: the system
 * or the user refused; `silent`: no response in time; `damaged`: the entry can't be read, and is unchanged;
 * `off`: disabled by the environment.
 */
export const keychainTrouble = z.enum(['absent', 'locked', 'denied', 'silent', 'damaged', 'off', 'other']);

/** A proxy's response instead of a tunnel, and the authentication schemes it requires. */
const proxyResponse = z.object({
  /** Name and port of the proxy, without user and password. */
  proxy: z.string(),
  /** Of a kind that can't be used. */
  kind: z.literal('socks').optional(),
  /** Absent: it could not be reached, or did not speak HTTP. */
  status: z.int().optional(),
  /** Of a 407: `basic`, `ntlm`, `negotiate`, in small letters. */
  asks: z.array(z.string()).optional(),
  /** Whether a user and a password were sent along. */
  gaveLogin: z.boolean().optional(),
});

export const unreachableReason = z.enum(['name', 'refused', 'reset', 'timeout', 'tls', 'proxy', 'other']);

/** Why a part of a response arrived and not the whole: fewer records at a time may arrive. */
const partialResponse = z.enum(['cut', 'too_large']);

/** The parts of a plan of an upload that decide which rows it stores. */
export const planParts = ['file', 'mapping', 'wells', 'existing'] as const;

/** The closed union of everything that can go wrong, with the details of each error (specification, section 7). */
export const errorDetails = {
  /** The user's input is invalid; nothing was sent. */
  invalid_input: z.object({ issues: z.array(issue) }),
  not_authenticated: serviceResponse.extend({ why: refusalReason.optional() }),
  forbidden: serviceResponse.extend({ what: z.string().optional() }),
  not_found: serviceResponse.extend({ what: z.string().optional() }),
  /** 400, 412, 422: the service refuses the request. */
  refused: serviceResponse,
  too_many_requests: serviceResponse.extend(requestedWait),
  too_large: serviceResponse,
  service_failed: serviceResponse.extend(requestedWait),
  /** The response isn't what the specification promises: truncated, HTML, or of another shape. */
  bad_answer: serviceResponse.extend({ problem: z.string(), partial: partialResponse.optional() }),
  unreachable: z.object({
    service,
    host: z.string(),
    reason: unreachableReason,
    proxy: proxyResponse.optional(),
    /** The code under which TLS refused a certificate, such as CERT_HAS_EXPIRED. */
    certificate: z.string().optional(),
    partial: partialResponse.optional(),
  }),
  /** No response in time, in milliseconds. */
  timed_out: z.object({ service, host: z.string(), afterMs: z.number() }),
  outcome_unknown: z.object({ rows: z.int(), cause: z.string() }),
  /** `resume`: the command that resumes the stopped job. */
  cancelled: z.object({ resume: z.string().optional() }),
  /** The data service responds at the address of the platform service, and vice versa. */
  addresses_swapped: z.object({}),
  connection_unknown: z.object({ connection: z.string() }),
  keychain_unavailable: z.object({ trouble: keychainTrouble }),
  connection_read_only: z.object({ connection: z.string() }),
  file_unreadable: z.object({ file: z.string(), reason: z.string() }),
  file_unsuitable: z.object({
    file: z.string(),
    reason: z.string(),
    place: place.optional(),
    /** The expected content; absent: CSV rows. */
    wanted: z
      .enum(['certificates', 'client_certificate', 'connections', 'queries', 'channel_names'])
      .optional(),
    /** What of a client certificate to correct; absent: the file itself. */
    part: z.enum(['key', 'passphrase']).optional(),
  }),
  /** A file of ours that a newer version wrote. */
  file_too_new: z.object({ file: z.string(), format: z.int() }),
  /** A table of Delta uses features of other programs that Wellbench can't read, or would break by an update. */
  table_unsupported: z.object({
    table: z.string(),
    use: z.enum(['read', 'update']),
    features: z.array(z.string()),
  }),
  file_changed: z.object({ file: z.string() }),
  /** `finished`: the complete file beside it, whose name was taken meanwhile. */
  file_exists: z.object({ file: z.string(), finished: z.string().optional() }),
  disk_full: z.object({ file: z.string(), writtenBytes: z.number() }),
  /** `isBusy`: another process writes it, which ends. `tooLong`: what the system doesn't take, so that a shorter one is needed. */
  file_unwritable: z.object({
    file: z.string(),
    reason: z.string(),
    isBusy: z.literal(true).optional(),
    tooLong: z.enum(['name', 'path']).optional(),
  }),
  job_unknown: z.object({ job: z.string() }),
  job_busy: z.object({ job: z.string() }),
  job_too_new: z.object({ job: z.string(), format: z.int() }),
  /**
   * `job`: another upload of the same file into the same dataset. `isUnfinished`: it stopped before its end.
   * `isOther`: it maps the file otherwise, such as to another well.
   */
  upload_repeated: z.object({
    file: z.string(),
    job: z.string(),
    isRunning: z.boolean(),
    isUnfinished: z.boolean().optional(),
    isOther: z.boolean().optional(),
  }),
  /** `parts`: what has changed since the check. */
  upload_changed: z.object({ file: z.string(), parts: z.array(z.enum(planParts)) }),
  job_state: z.object({ job: z.string(), state: z.string(), wanted: z.string() }),
  /** `missing`: the engine isn't installed; `stopped`: it crashed or ran out of memory. */
  sql_unavailable: z.object({ reason: z.enum(['missing', 'stopped']) }),
  /** A fault of our own. */
  internal: z.object({ problem: z.string() }),
} as const;

export type Place = z.infer<typeof place>;
export type Issue = z.infer<typeof issue>;
export type ServiceName = ErrorDetails<'timed_out'>['service'];
export type RefusalReason = z.infer<typeof refusalReason>;
export type KeychainTrouble = z.infer<typeof keychainTrouble>;
export type ProxyResponse = z.infer<typeof proxyResponse>;
export type UnreachableReason = z.infer<typeof unreachableReason>;
export type ErrorCode = keyof typeof errorDetails;
export type ErrorDetails<C extends ErrorCode = ErrorCode> = z.infer<(typeof errorDetails)[C]>;

/** The name under which every error of ours crosses; its data is an {@link ErrorBody}. */
export const appErrorName = 'WELLBENCH';

export const errorCodes = Object.keys(errorDetails) as ErrorCode[];

/** An error as it crosses a process boundary. */
export const errorBody = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
});
export type ErrorBody = z.infer<typeof errorBody>;

/**
 * The error class of the application. `message` is a sentence for field engineers with the next step, derived
 * from code and details; it contains no secrets, and invisible characters in names are escaped.
 */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'AppError';
  readonly code: C;
  readonly details: ErrorDetails<C>;

  constructor(code: C, details: ErrorDetails<C>, options?: ErrorOptions) {
    // The same shape, with other texts.
    super(visibleLine(sentenceFor(code, inOneLine(details) as ErrorDetails<C>)), options);
    this.code = code;
    this.details = details;
  }

  /** Whether this error has the code, narrowing its details. */
  is<K extends ErrorCode>(code: K): this is AppError<K> {
    const mine: ErrorCode = this.code;
    return mine === code;
  }

  toBody(): ErrorBody {
    return { code: this.code, message: this.message, details: this.details };
  }
}

/**
 * Details as a sentence shows them: a line break in a name, or in what a service sent, is escaped. The message of an
 * issue is a sentence already, such as of the SQL engine, and continues on the same line.
 */
function inOneLine(value: unknown, name = ''): unknown {
  if (typeof value === 'string')
    return name === 'message' ? value.replaceAll(/\s+/g, ' ') : visibleLine(value);
  if (Array.isArray(value)) return value.map((item) => inOneLine(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inOneLine(item, key)]));
}

/** Whether something thrown is an {@link AppError} with this code. */
export function isAppError<C extends ErrorCode>(error: unknown, code: C): error is AppError<C> {
  return error instanceof AppError && (error as AppError).is(code);
}

/**
 * Whether a failure usually passes, so that what is read later can differ. Timeouts and truncated responses aren't
 * counted, because a large dataset may always cause them.
 */
export const isPassing = ({ code, details }: Pick<ErrorBody, 'code' | 'details'>): boolean =>
  code === 'too_many_requests' ||
  (code === 'service_failed' && details['status'] !== 408 && details['status'] !== 504) ||
  (code === 'unreachable' && details['partial'] === undefined);

/** Converts any thrown value to an AppError: an abort becomes `cancelled`, an unexpected error `internal`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof Error && error.name === 'AbortError')
    return new AppError('cancelled', {}, { cause: error });
  const problem = error instanceof Error ? error.message : String(error);
  return new AppError('internal', { problem }, { cause: error });
}

/** The issues of a schema, each with the path of its field, such as `credential.apiKey`. */
export const schemaIssues = (issues: readonly Pick<z.core.$ZodIssue, 'message' | 'path'>[]): Issue[] =>
  issues.map(({ message, path }) => ({ message, place: { field: path.map(String).join('.') } }));

/**
 * Creates an `invalid_input` error.
 * @param at the place, if any
 * @param lists the whole lists of which the message shows the first entries
 */
export function invalidInput(message: string, at?: Place, lists?: Issue['lists']): AppError<'invalid_input'> {
  return new AppError('invalid_input', {
    issues: [{ message, ...(at ? { place: at } : {}), ...(lists ? { lists } : {}) }],
  });
}

/** Rebuilds an error from the other side of a process boundary; what does not fit becomes `internal`. */
export function fromBody(body: unknown): AppError {
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return new AppError('internal', { problem: 'received an invalid error' });
  const details = errorDetails[parsed.data.code].safeParse(parsed.data.details);
  if (!details.success) return new AppError('internal', { problem: parsed.data.message });
  return new AppError(parsed.data.code, details.data);
}

/** An error in the content of a file. @param reason in words, after its name @param at its line, or its place */
export function unsuitable(file: string, reason: string, at?: number | Place): AppError<'file_unsuitable'> {
  const place = typeof at === 'number' ? { line: at } : at;
  return new AppError('file_unsuitable', place ? { file, reason, place } : { file, reason });
}
