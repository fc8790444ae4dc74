import { createHash } from 'node:crypto';

/** Windows keeps 2,560 bytes of UTF-16 for an entry: 1,280 characters. A pair of tokens is longer. */
const longestEntry = 1200;

/** How a secret stands in the keychain: whole in its own entry, or in parts beside it, which its entry names. */
export type Head =
  | { readonly kind: 'whole'; readonly password: string }
  | { readonly kind: 'parts'; readonly count: number; readonly generation: string; readonly sum: string };

const whole = 'w1:0:';
const inParts = /^w1:([1-9]\d{0,3}):([0-9a-f]{8}):([0-9a-f]{16})$/;

/** What an entry says; null when it was not written in this format. */
export function readHead(entry: string): Head | null {
  if (entry.startsWith(whole)) return { kind: 'whole', password: entry.slice(whole.length) };
  const [, count, generation, sum] = inParts.exec(entry) ?? [];
  if (!count || !generation || !sum) return null;
  return { kind: 'parts', count: Number(count), generation, sum };
}

/** Tells whether parts belong together; no secret can be had from it. */
export function sumOf(password: string): string {
  return createHash('sha256').update(password).digest('hex').slice(0, 16);
}

/**
 * What to write for a secret: its entry, and the parts that come before it.
 * @param generation eight hexadecimal digits, new for each writing, so that no part of an older one is overwritten
 */
export function split(password: string, generation: string): { entry: string; parts: string[] } {
  if (whole.length + password.length <= longestEntry) return { entry: whole + password, parts: [] };
  const parts: string[] = [];
  for (let at = 0; at < password.length;) {
    let end = Math.min(at + longestEntry, password.length);
    // A character beyond the sixteen-bit range is not cut in two.
    if (end < password.length && /[\uD800-\uDBFF]/.test(password.charAt(end - 1))) end -= 1;
    parts.push(password.slice(at, end));
    at = end;
  }
  return { entry: `w1:${parts.length}:${generation}:${sumOf(password)}`, parts };
}

/** The account of a part, counted from 0. */
export function partAccount(account: string, generation: string, index: number): string {
  return `${account}~${generation}.${index}`;
}

/** The account that a part belongs to; null when this is not the account of a part. */
export function ownerOfPart(account: string): string | null {
  return /^(.+)~[0-9a-f]{8}\.\d+$/s.exec(account)?.[1] ?? null;
}
