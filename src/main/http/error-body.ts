import { isObject, type JsonValue } from '../../shared/json.ts';
import { redact } from './redact.ts';

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
