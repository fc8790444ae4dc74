import {
  AppError,
  type ProxyAnswer,
  type ServiceName,
  type UnreachableReason,
} from '../../shared/errors/errors.ts';

/** The proxy could not be reached, or did not let a request through. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  readonly answer: ProxyAnswer;
  constructor(answer: ProxyAnswer) {
    super('the proxy closed the connection');
    this.answer = answer;
  }
}

/** Why a request got no whole answer. */
export type Trouble =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'not_connected' }
  | { readonly kind: 'silent' | 'endless'; readonly afterMs: number }
  | { readonly kind: 'too_big'; readonly maxBytes: number }
  | { readonly kind: 'broken'; readonly error: Error };

/** A request without a whole answer. `started`: something of it may have left this machine. */
export class WireFailure extends Error {
  override readonly name = 'WireFailure';
  readonly started: boolean;
  readonly trouble: Trouble;

  constructor(started: boolean, trouble: Trouble) {
    super(trouble.kind);
    this.started = started;
    this.trouble = trouble;
  }
}

/** What is said of an answer that is larger than it may be. */
export const tooLong = (maxBytes: number): string =>
  `it is larger than ${maxBytes / 1024 / 1024} MB, the limit for this response`;

/** What a failure means to the person, and whether a read may be tried again. */
export interface Judged {
  readonly error: AppError;
  readonly again: boolean;
}

/**
 * Turns a failure on the wire into an error. The raw error is left behind: its text and its fields can hold
 * the address of a proxy with its password.
 */
export function judge({ trouble }: WireFailure, service: ServiceName, host: string): Judged {
  if (trouble.kind === 'broken') return broken(trouble.error, service, host);
  return { error: errorFor(trouble, service, host), again: trouble.kind === 'not_connected' };
}

function errorFor(
  trouble: Exclude<Trouble, { kind: 'broken' }>,
  service: ServiceName,
  host: string,
): AppError {
  if (trouble.kind === 'cancelled') return new AppError('cancelled', {});
  if (trouble.kind === 'not_connected')
    return new AppError('unreachable', { service, host, reason: 'timeout' });
  if (trouble.kind === 'too_big')
    return new AppError('bad_answer', { service, problem: tooLong(trouble.maxBytes) });
  return new AppError('timed_out', { service, host, afterMs: trouble.afterMs });
}

function broken(error: Error, service: ServiceName, host: string): Judged {
  const isHeaderTooLarge = headerOverflow.has(codeOf(error));
  if (isHeaderTooLarge)
    return {
      error: new AppError('bad_answer', { service, problem: 'its header is too large' }),
      again: false,
    };
  // An answer that breaks off is a parser's error too, at the end of what there was.
  const unparsed = error.name === 'HTTPParserError';
  if (unparsed && !/\bEOF\b/.test(error.message)) {
    return { error: new AppError('bad_answer', { service, problem: 'it is not HTTP' }), again: false };
  }
  if (error instanceof ProxyFailure) {
    const { answer: proxy } = error;
    // A proxy that says no says so again; one that fails may recover.
    const again = proxy.status === undefined ? proxy.kind !== 'socks' : proxy.status >= 500;
    return { error: new AppError('unreachable', { service, host, reason: 'proxy', proxy }), again };
  }
  const reason = unparsed ? 'reset' : reasonOf(error);
  if (reason !== 'tls') return { error: new AppError('unreachable', { service, host, reason }), again: true };
  const certificate = codeOf(error);
  return { error: new AppError('unreachable', { service, host, reason, certificate }), again: false };
}

/** Of undici, and of its parser. */
const headerOverflow = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW']);

function codeOf(error: Error): string {
  const codes = [error, ...(error instanceof AggregateError ? error.errors : [])].map((one: unknown) =>
    one instanceof Error && 'code' in one && typeof one.code === 'string' ? one.code : '',
  );
  return codes.find((code) => code !== '') ?? '';
}

const reasons: Readonly<Record<string, UnreachableReason>> = {
  ENOTFOUND: 'name',
  ENODATA: 'name',
  EAI_AGAIN: 'name',
  EAI_FAIL: 'name',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'reset',
  UND_ERR_BODY_TIMEOUT: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  EPROTO: 'tls',
  HOSTNAME_MISMATCH: 'tls',
};

const tlsCode = /^(ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERROR_IN_C|INVALID_)/;

function reasonOf(error: Error): UnreachableReason {
  const code = codeOf(error);
  return reasons[code] ?? (tlsCode.test(code) ? 'tls' : 'other');
}
