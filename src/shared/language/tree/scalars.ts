import { convertCall } from '../calls.ts';
import { atTop, createReader } from '../reader.ts';
import { unquote } from '../texts.ts';
import { numberFrom } from '../numbers.ts';
import type { TreeNode } from './tree.ts';

/** The value of a leaf node, as far as rules need it. */
export type Scalar =
  | { readonly kind: 'number'; readonly value: number | bigint }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'date'; readonly ms: number }
  | { readonly kind: 'word'; readonly value: 'true' | 'false' | 'null' };

/** The value of a leaf or call without a parameter; null for other nodes, and for text that is no value. */
export function scalarOf(text: string, node: TreeNode): Scalar | null {
  const source = text.slice(node.start, node.end);
  if (node.kind === 'text') return { kind: 'text', value: unquote(source) };
  if (node.kind === 'call') {
    const value = convertCall(node, atTop, createReader(text, ''));
    if (typeof value !== 'number' && typeof value !== 'bigint') return null;
    return node.name.endsWith('Date') ? { kind: 'date', ms: Number(value) } : { kind: 'number', value };
  }
  if (node.kind !== 'word') return null;
  if (source === 'true' || source === 'false' || source === 'null') return { kind: 'word', value: source };
  const value = numberFrom(source);
  return value === undefined ? null : { kind: 'number', value };
}
