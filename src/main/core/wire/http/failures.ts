import {
  AppError,
  type ProxyResponse,
  type ServiceName,
  type UnreachableReason,
} from '../../../../shared/errors/errors.ts';

/** The proxy can't be reached, or refused the tunnel. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  readonly response: ProxyResponse;
  constructor(response: ProxyResponse) {
    super('the proxy closed the connection');
    this.response = response;
  }
}

/** Why there is no complete response. */
export type FailureCause =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'not_connected' }
  | { readonly kind: 'silent' | 'endless'; readonly afterMs: number }
  | { readonly kind: 'too_big'; readonly maxBytes: number }
  /** `isCut`: the response had begun. */
  | { readonly kind: 'broken'; readonly error: Error; readonly isCut?: boolean };

/** A request without a complete response. `isStarted`: some bytes may have left this computer. */
export class WireFailure extends Error {
  override readonly name = 'WireFailure';
  readonly isStarted: boolean;
  readonly reason: FailureCause;

  constructor(isStarted: boolean, reason: FailureCause) {
    super(reason.kind);
    this.isStarted = isStarted;
    this.reason = reason;
  }
}

/** A refusal by a proxy is final; a proxy that can't be reached, or fails, may recover. */
export const mayProxyRecover = ({ status, kind }: ProxyResponse): boolean =>
  status === undefined ? kind !== 'socks' : status >= 500;

/** The problem text of a response that exceeds its limit. @param maxBytes the limit, in bytes */
export const tooLongProblem = (maxBytes: number): string =>
  `it is larger than ${maxBytes / 1024 / 1024} MB, the limit for this response`;

/** An error and whether a read may be retried after it. */
export interface ClassifiedError {
  readonly error: AppError;
  readonly canRetry: boolean;
}

/**
 * Converts a failure on the wire into an error. The raw error isn't kept as its cause: its text can contain a
 * proxy's password.
 */
export function classifyFailure(
  { reason }: WireFailure,
  service: ServiceName,
  host: string,
): ClassifiedError {
  if (reason.kind === 'broken') return classifyBroken(reason, service, host);
  return { error: errorFor(reason, service, host), canRetry: reason.kind === 'not_connected' };
}

function errorFor(
  reason: Exclude<FailureCause, { kind: 'broken' }>,
  service: ServiceName,
  host: string,
): AppError {
  if (reason.kind === 'cancelled') return new AppError('cancelled', {});
  if (reason.kind === 'not_connected')
    return new AppError('unreachable', { service, host, reason: 'timeout' });
  if (reason.kind === 'too_big')
    return new AppError('bad_answer', {
      service,
      problem: tooLongProblem(reason.maxBytes),
      partial: 'too_large',
    });
  return new AppError('timed_out', { service, host, afterMs: reason.afterMs });
}

function classifyBroken(
  { error, isCut = false }: Extract<FailureCause, { kind: 'broken' }>,
  service: ServiceName,
  host: string,
): ClassifiedError {
  // The connection's own certificate can't be used.
  if (error instanceof AppError) return { error, canRetry: false };
  // A truncated response is also a parser error, with EOF in its message.
  const isParserError = error.name === 'HTTPParserError';
  const problem = headerOverflow.has(codeOf(error))
    ? 'its header is too large'
    : isParserError && !/\bEOF\b/.test(error.message)
      ? 'it is not HTTP'
      : null;
  if (problem !== null) return { error: new AppError('bad_answer', { service, problem }), canRetry: false };
  if (error instanceof ProxyFailure) {
    const { response: proxy } = error;
    const canRetry = mayProxyRecover(proxy);
    return { error: new AppError('unreachable', { service, host, reason: 'proxy', proxy }), canRetry };
  }
  const reason = isParserError ? 'reset' : reasonOf(error);
  if (reason !== 'tls')
    return {
      error: new AppError('unreachable', { service, host, reason, ...(isCut ? { partial: 'cut' } : {}) }),
      canRetry: true,
    };
  const certificate = codeOf(error);
  return { error: new AppError('unreachable', { service, host, reason, certificate }), canRetry: false };
}

/** Codes of undici and of its parser. */
const headerOverflow = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW']);

function codeOf(error: Error): string {
  const codes = [error, ...(error instanceof AggregateError ? error.errors : [])].map((cause: unknown) =>
    cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '',
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

const tlsCode =
  /^(CLIENT_CERTIFICATE_|ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERROR_IN_C|INVALID_)/;

function reasonOf(error: Error): UnreachableReason {
  const code = codeOf(error);
  return reasons[code] ?? (tlsCode.test(code) ? 'tls' : 'other');
}
