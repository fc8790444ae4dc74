import { millisecondsOf } from '../dates.ts';
import { decimalFrom, integerFrom, numberOf } from '../numbers.ts';
import type { CallNode, TreeNode } from './tree.ts';

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };
const escape = /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|(\r\n|[\s\S]))/gi;

/** What a quoted text says; its closing quote may be missing yet. */
export function unquoted(said: string): string {
  const quote = said[0] ?? '';
  const closed = said.length > 1 && said.endsWith(quote);
  const inside = said.slice(1, closed ? -1 : undefined);
  if (!inside.includes('\\')) return inside;
  return inside.replace(escape, (_all, wide?: string, four?: string, two?: string, other = '') => {
    const code = wide ?? four ?? two;
    if (code !== undefined) return String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff));
    return escapes[other] ?? (/^[\r\n]/.test(other) ? '' : other);
  });
}

/** What a piece without parts stands for, as far as rules ask for it. */
export type Scalar =
  | { readonly kind: 'number'; readonly value: number | bigint }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'date'; readonly ms: number }
  | { readonly kind: 'word'; readonly value: 'true' | 'false' | 'null' };

const numeral = /^([+-]?)\s*((?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?|0[xob][\da-f]+|\d+n)$/i;
const int64 = 2n ** 63n;

function callOf(text: string, { name, args }: CallNode): Scalar | null {
  const [first] = args;
  const given = first && scalarOf(text, first);
  if (!given || args.length !== 1) return null;
  if (name === 'ISODate' || name === 'Date') {
    const ms =
      given.kind === 'text' ? millisecondsOf(given.value) : given.kind === 'number' ? given.value : undefined;
    return ms === undefined ? null : { kind: 'date', ms: Number(ms) };
  }
  if (!/^(?:Number|Long|Int32|Double|Decimal)/.test(name)) return null;
  const said = String(given.kind === 'date' ? given.ms : given.value);
  const value = integerFrom(said, -int64, int64 - 1n) ?? decimalFrom(said);
  return value === undefined ? null : { kind: 'number', value };
}

/** The value of a piece that is read without a parameter; null where it has parts, or means none. */
export function scalarOf(text: string, node: TreeNode): Scalar | null {
  const said = text.slice(node.start, node.end);
  if (node.kind === 'text') return { kind: 'text', value: unquoted(said) };
  if (node.kind === 'call') return callOf(text, node);
  if (node.kind !== 'word') return null;
  if (said === 'true' || said === 'false' || said === 'null') return { kind: 'word', value: said };
  const parts = numeral.exec(said);
  if (!parts) return null;
  const amount = numberOf(parts[2] ?? '');
  return { kind: 'number', value: parts[1] === '-' ? -amount : amount };
}
