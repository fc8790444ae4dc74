import { convertCall } from '../calls.ts';
import { atTop, makeReader } from '../reader.ts';
import { unquoted } from '../texts.ts';
import { numberFrom } from '../numbers.ts';
import type { TreeNode } from './tree.ts';

/** What a piece without parts stands for, as far as rules ask for it. */
export type Scalar =
  | { readonly kind: 'number'; readonly value: number | bigint }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'date'; readonly ms: number }
  | { readonly kind: 'word'; readonly value: 'true' | 'false' | 'null' };

/** The value of a piece that is read without a parameter; null where it has parts, or means none. */
export function scalarOf(text: string, node: TreeNode): Scalar | null {
  const said = text.slice(node.start, node.end);
  if (node.kind === 'text') return { kind: 'text', value: unquoted(said) };
  if (node.kind === 'call') {
    const value = convertCall(node, atTop, makeReader(text, ''));
    if (typeof value !== 'number' && typeof value !== 'bigint') return null;
    return node.name.endsWith('Date') ? { kind: 'date', ms: Number(value) } : { kind: 'number', value };
  }
  if (node.kind !== 'word') return null;
  if (said === 'true' || said === 'false' || said === 'null') return { kind: 'word', value: said };
  const value = numberFrom(said);
  return value === undefined ? null : { kind: 'number', value };
}
