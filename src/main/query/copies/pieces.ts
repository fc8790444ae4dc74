import type { RequestDescription } from '../../services/services.ts';

/** A word of a POSIX shell that stands for exactly this text. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A literal that Python and JavaScript read as exactly this text; in single quotes where JSON stands in it. */
export function literal(text: string): string {
  return /^[^'\\\p{Cc}\u2028\u2029]*$/u.test(text) ? `'${text}'` : JSON.stringify(text);
}

/** The address without its parameters, and these decoded, in their order. */
export function splitAddress({ url }: RequestDescription): {
  base: string;
  parameters: readonly (readonly [string, string])[];
} {
  const { origin, pathname, searchParams } = new URL(url);
  return { base: `${origin}${pathname}`, parameters: [...searchParams] };
}

/** The headers that matter to whoever sends the request from elsewhere: compression and names are their own. */
export function plainHeaders({ headers }: RequestDescription): [string, string][] {
  return Object.entries(headers).filter(([name]) => name === 'accept' || name === 'content-type');
}
