import {
  AppError,
  type ErrorDetails,
  type RefusalReason,
  type ServiceName,
} from '../../../../shared/errors/errors.ts';
import type { HttpResponse } from './response.ts';
import { retryAfterMs } from './retry.ts';
import { isObject, parseJson, type JsonValue } from '../../../../shared/json.ts';
import { redact } from './redact.ts';

/** What an error for a status contains. */
interface StatusContext {
  readonly service: ServiceName;
  readonly host: string;
  /** The resource in words: "the dataset demo/wits". */
  readonly what?: string | undefined;
  readonly secrets: readonly string[];
  /** Why the credentials were refused, if that can be determined. */
  readonly refusalReason?: RefusalReason | undefined;
  /** Wall time in Unix milliseconds. */
  readonly now: number;
}

/** The error for a status, and whether a read may be retried (specification, sections 5 and 7). */
export interface ClassifiedStatus {
  readonly error: AppError;
  readonly canRetry: boolean;
  readonly retryAfterMs: number | null;
}

/** Converts a status other than 2xx into an error. No other function does this. */
export function classifyStatus(response: HttpResponse, context: StatusContext): ClassifiedStatus {
  const waitMs = retryAfterMs(response.header('retry-after'), context.now);
  const canRetry = response.status === 429 || response.status === 408 || response.status >= 500;
  return { error: errorFor(response, context, waitMs), canRetry, retryAfterMs: canRetry ? waitMs : null };
}

function errorFor(response: HttpResponse, context: StatusContext, waitMs: number | null): AppError {
  const { service, host, what } = context;
  const { status } = response;
  const message = errorMessageIn(response.text(), context.secrets);
  const details = message === undefined ? { service, status } : { service, status, said: message };
  const detailsWithResource = what === undefined ? details : { ...details, what };
  if (status < 400)
    return new AppError('bad_answer', { service, status, problem: `its status is ${status}` });
  if (status === 401) return new AppError('not_authenticated', withReason(details, context.refusalReason));
  if (status === 403) return new AppError('forbidden', detailsWithResource);
  if (status === 404) return new AppError('not_found', detailsWithResource);
  if (status === 407) return new AppError('unreachable', { service, host, reason: 'proxy' });
  if (status === 413 || status === 414 || status === 431) return new AppError('too_large', details);
  const wait =
    waitMs === null ? {} : { retryAfterMs: waitMs, until: new Date(context.now + waitMs).toISOString() };
  if (status === 429) return new AppError('too_many_requests', { ...details, ...wait });
  if (status === 408 || status >= 500) return new AppError('service_failed', { ...details, ...wait });
  return new AppError('refused', details);
}

// "Invalid or expired" can mean either.
const saysExpired = /\bexpired\b/i;
const saysOtherwise = /\b(or|invalid|unknown|malformed|missing|wrong)\b/i;

/** A service's "expired" overrides the reason that follows from whether the key was ever accepted. */
function withReason(
  details: ErrorDetails<'not_authenticated'>,
  reason: RefusalReason | undefined,
): ErrorDetails<'not_authenticated'> {
  if (reason === undefined) return details;
  const isKeyReason = reason === 'key_unknown' || reason === 'key_ended';
  const { said = '' } = details;
  const isExpired = isKeyReason && saysExpired.test(said) && !saysOtherwise.test(said);
  return { ...details, why: isExpired ? 'key_expired' : reason };
}

const maxMessageLength = 300;

/**
 * The message in an error body, in one line of up to 300 characters without secrets. The specification
 * promises no shape (section 7), so several are supported: `{code, message}`, `{status}`, `{errors: {field:
 * […]}}`, `{error}`, `{detail}`, plain text, and the title of an HTML page.
 * @param secrets texts to redact
 * @returns undefined when the body has no message
 */
export function errorMessageIn(body: string, secrets: readonly string[] = []): string | undefined {
  // The message is short, so only the start of a large page is searched.
  const text = body.slice(0, 20_000).trim();
  const words = text.startsWith('<') ? pageWords(text) : (jsonWords(text) ?? text);
  const line = redact(words, secrets)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (line === '') return undefined;
  return line.length > maxMessageLength ? `${line.slice(0, maxMessageLength - 1)}…` : line;
}

function pageWords(html: string): string {
  const title = /<title\b[^<>]*>([^<]*)<\/title>/i.exec(html)?.[1]?.trim();
  if (title) return title;
  return html
    .replace(/<(?:script|style)\b[\s\S]*?(?:<\/(?:script|style)>|$)/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .trim();
}

function jsonWords(text: string): string | undefined {
  try {
    return wordsOf(parseJson(text), 0);
  } catch {
    return undefined;
  }
}

const messageKeys = ['message', 'error', 'errors', 'detail', 'details', 'title', 'status', 'reason', 'msg'];

function wordsOf(value: JsonValue, depth: number): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || depth > 4) return '';
  if (Array.isArray(value)) return joinParts(value.slice(0, 10).map((item) => wordsOf(item, depth + 1)));
  if (!isObject(value)) return '';
  for (const key of messageKeys) {
    const part = value[key];
    const words = part === undefined ? '' : key === 'errors' ? fieldWords(part) : wordsOf(part, depth + 1);
    if (words !== '') return words;
  }
  return '';
}

/** `{login: ["is wrong"]}` becomes "login is wrong". */
function fieldWords(errors: JsonValue): string {
  if (!isObject(errors)) return wordsOf(errors, 1);
  return joinParts(
    Object.entries(errors)
      .slice(0, 10)
      .map(([field, value]) => `${field} ${wordsOf(value, 2)}`.trim()),
  );
}

function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('; ');
}
