import {
  AppError,
  type ErrorDetails,
  type RefusalReason,
  type ServiceName,
} from '../../shared/errors/errors.ts';
import type { Answer } from './answer.ts';
import { retryAfterMs } from './retry.ts';
import { isObject, type JsonValue } from '../../shared/json.ts';
import { redact } from './redact.ts';

/** What is needed to put a status into words. */
interface StatusContext {
  readonly service: ServiceName;
  readonly host: string;
  /** What was asked for, in words: "the dataset demo/wits". */
  readonly what?: string | undefined;
  readonly secrets: readonly string[];
  /** Why a 401 stands, as far as the credential knows. */
  readonly why?: RefusalReason | undefined;
  /** Wall time in Unix milliseconds. */
  readonly now: number;
}

/** An error status in words, and whether a read may be tried again (specification, sections 5 and 7). */
export interface JudgedStatus {
  readonly error: AppError;
  readonly again: boolean;
  readonly retryAfterMs: number | null;
}

/** The one place where a status becomes an error. The answer's status is not 2xx. */
export function judgeStatus(answer: Answer, context: StatusContext): JudgedStatus {
  const wait = retryAfterMs(answer.header('retry-after'), context.now);
  const again = answer.status === 429 || answer.status === 408 || answer.status >= 500;
  return { error: errorFor(answer, context, wait), again, retryAfterMs: again ? wait : null };
}

function errorFor(answer: Answer, context: StatusContext, wait: number | null): AppError {
  const { service, host, what } = context;
  const { status } = answer;
  const said = saidIn(answer.text(), context.secrets);
  const heard = said === undefined ? { service, status } : { service, status, said };
  const about = what === undefined ? heard : { ...heard, what };
  if (status < 400)
    return new AppError('bad_answer', { service, status, problem: `it has the status ${status}` });
  if (status === 401) return new AppError('not_authenticated', withReason(heard, context.why));
  if (status === 403) return new AppError('forbidden', about);
  if (status === 404) return new AppError('not_found', about);
  if (status === 407) return new AppError('unreachable', { service, host, reason: 'proxy' });
  if (status === 413 || status === 414 || status === 431) return new AppError('too_large', heard);
  if (status === 429) {
    return new AppError('too_many_requests', wait === null ? heard : { ...heard, retryAfterMs: wait });
  }
  if (status === 408 || status >= 500) return new AppError('service_failed', heard);
  return new AppError('refused', heard);
}

// "Invalid or expired" says neither.
const saysExpired = /\bexpired\b/i;
const saysSomethingElse = /\b(or|invalid|unknown|malformed|missing|wrong)\b/i;

/** A key that is said to have expired has: what is known here is only whether it was ever accepted. */
function withReason(
  heard: ErrorDetails<'not_authenticated'>,
  why: RefusalReason | undefined,
): ErrorDetails<'not_authenticated'> {
  if (why === undefined) return heard;
  const ofKey = why === 'key_unknown' || why === 'key_ended';
  const { said = '' } = heard;
  const expired = ofKey && saysExpired.test(said) && !saysSomethingElse.test(said);
  return { ...heard, why: expired ? 'key_expired' : why };
}

const longest = 300;

/**
 * What an error's body says, in one short line without secrets; undefined when it says nothing. No shape is
 * promised (specification, section 7), so several are known: `{code, message}`, `{status}`, `{errors:
 * {field: […]}}`, `{error}`, `{detail}`, plain text, and the HTML of proxies, of which the title is taken.
 */
export function saidIn(body: string, secrets: readonly string[] = []): string | undefined {
  // What is shown is short: a page of megabytes is not searched through.
  const text = body.slice(0, 20_000).trim();
  const words = text.startsWith('<') ? pageWords(text) : (jsonWords(text) ?? text);
  const line = redact(words, secrets)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (line === '') return undefined;
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

function pageWords(html: string): string {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1]?.trim();
  if (title) return title;
  return html
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .trim();
}

function jsonWords(text: string): string | undefined {
  try {
    return wordsOf(JSON.parse(text) as JsonValue, 0);
  } catch {
    return undefined;
  }
}

const telling = ['message', 'error', 'errors', 'detail', 'details', 'title', 'status', 'reason', 'msg'];

function wordsOf(value: JsonValue, depth: number): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || depth > 4) return '';
  if (Array.isArray(value)) return joined(value.slice(0, 10).map((item) => wordsOf(item, depth + 1)));
  if (!isObject(value)) return '';
  for (const key of telling) {
    const part = value[key];
    const words = part === undefined ? '' : key === 'errors' ? fieldWords(part) : wordsOf(part, depth + 1);
    if (words !== '') return words;
  }
  return '';
}

/** `{login: ["is wrong"]}` reads "login is wrong". */
function fieldWords(errors: JsonValue): string {
  if (!isObject(errors)) return wordsOf(errors, 1);
  return joined(
    Object.entries(errors)
      .slice(0, 10)
      .map(([field, value]) => `${field} ${wordsOf(value, 2)}`.trim()),
  );
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('; ');
}
