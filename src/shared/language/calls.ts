import type { JsonObject, JsonValue } from '../json.ts';
import { type Reader, type Span, type Where, quote, refuseSum, atTop, createReader } from './reader.ts';
import type { TreeNode, CallNode } from './tree/tree.ts';
import {
  dateAt,
  millisecondsOf,
  decimalFrom,
  integerFrom,
  numberFrom,
  checkText,
  unquote,
} from './literals.ts';
import { nearestWord } from './nearest.ts';

const expressions = new Set(['$regexMatch', '$regexFind', '$regexFindAll']);

/** Whether a piece is a regular expression: `/…/` or `RegExp("…")`. */
export const isRegex = (node: TreeNode): boolean =>
  node.kind === 'regex' || (node.kind === 'call' && node.name === 'RegExp');

/** The pattern and the flags of `/…/i`; a text is why it can't be read. */
export function partsOfRegex(source: string): { pattern: string; flags: string } | string {
  const [, pattern, flags = ''] =
    /^\/((?:\\[^\n\r]|\[(?:\\[^\n\r]|[^\]\\])*\]|[^/[\\])+)\/([a-z]*)$/i.exec(source) ?? [];
  if (pattern === undefined)
    return 'This regular expression has no closing /. Add it, or put the text in quotes.';
  try {
    void new RegExp(pattern);
    return { pattern, flags };
  } catch (error) {
    const syntaxProblem = error instanceof SyntaxError ? error.message.replace(/^.*\/: /s, '') : '';
    return `This regular expression is invalid (${syntaxProblem}). Correct it, or write {$regex: "…"}.`;
  }
}

/** The key for the flags of a pattern that is given as text; undefined elsewhere. */
export function optionsOf(key: string, where: Where): string | undefined {
  if (key === '$regex') return '$options';
  return key === 'regex' && where.key !== null && expressions.has(where.key) ? 'options' : undefined;
}

/** Where a regular expression would mean something else than in a shell, what to write instead. */
function misplaced({ key, list }: Where): string | undefined {
  if (list !== null) {
    const place = list.startsWith('$') ? list : 'a list';
    return `A regular expression isn’t allowed inside ${place}. Use $or with one condition for each expression.`;
  }
  if (key === null || key === '$not' || !key.startsWith('$')) return undefined;
  return `${key} doesn’t accept a regular expression. Use it as the value of the field or of $not.`;
}

/**
 * A regular expression as `{$regex, $options}`, `$options` only with flags. JSON has no other form, so it is
 * refused where that form would mean something else.
 */
export function regexAt(
  { pattern, flags }: { pattern: string; flags: string },
  span: Span,
  where: Where,
  reader: Reader,
): JsonValue {
  const odd = /[^imsx]/.exec(flags)?.[0];
  const wrong =
    odd === undefined ? misplaced(where) : `The flag ${odd} isn’t supported. Remove it; use i, m, or s.`;
  if (wrong !== undefined) return reader.refuse(span, wrong);
  const value: JsonObject = { $regex: pattern };
  if (flags) value['$options'] = flags;
  return value;
}

type Argument = string | number | bigint;
interface Call {
  readonly node: Span;
  readonly name: string;
  readonly args: readonly Argument[];
  readonly where: Where;
  readonly reader: Reader;
}

function date({ node, name, args, where, reader }: Call): JsonValue {
  const [first] = args;
  if (args.length !== 1 || first === undefined) {
    const instead =
      args.length === 0 ? 'For the current time, use {{now}}.' : `Write ${name}("2024-01-31T06:00:00Z").`;
    return reader.refuse(node, `${name} takes one date. ${instead}`);
  }
  const ms = typeof first === 'string' ? millisecondsOf(first) : Number(first);
  if (ms !== undefined && Number.isSafeInteger(ms) && Math.abs(ms) <= 8.64e15) return dateAt(ms, where);
  return reader.refuse(
    node,
    `${quote(reader.text, node)} isn’t a valid date. Write it as ${name}("2024-01-31T06:00:00Z"), to the millisecond at most.`,
  );
}

const integer =
  (bits: bigint) =>
  ({ node, name, args, reader }: Call): JsonValue => {
    const edge = 2n ** (bits - 1n);
    const value = args.length === 1 ? integerFrom(String(args[0]), -edge, edge - 1n) : undefined;
    return (
      value ??
      reader.refuse(
        node,
        `${name} takes one whole number of at most ${bits} bits. Write for example ${name}("123").`,
      )
    );
  };

function decimal({ node, name, args, reader }: Call): JsonValue {
  const value = args.length === 1 ? decimalFrom(String(args[0])) : undefined;
  return (
    value ??
    reader.refuse(
      node,
      `${name} takes one number that can be sent without losing digits. Write for example ${name}("1.25").`,
    )
  );
}

function objectId({ node, name, args, reader }: Call): JsonValue {
  const [id] = args;
  if (args.length === 1 && typeof id === 'string' && /^[\da-f]{24}$/i.test(id)) return id.toLowerCase();
  return reader.refuse(
    node,
    `${name} takes 24 hexadecimal digits in quotes. Put any other id in quotes, without ${name}.`,
  );
}

function regex({ node, name, args, where, reader }: Call): JsonValue {
  const [pattern, flags = ''] = args;
  if (typeof pattern === 'string' && typeof flags === 'string' && args.length <= 2) {
    return regexAt({ pattern, flags }, node, where, reader);
  }
  return reader.refuse(
    node,
    `${name} takes a pattern and flags in quotes. Write for example ${name}("^Rig", "i").`,
  );
}

const int32 = integer(32n);
const int64 = integer(64n);

// What the MongoDB shells print and people paste; a Map, so that no inherited name can be called.
const callConverters = new Map<string, (call: Call) => JsonValue>([
  ['ISODate', date],
  ['Date', date],
  ['NumberLong', int64],
  ['Long', int64],
  ['NumberInt', int32],
  ['Int32', int32],
  ['NumberDecimal', decimal],
  ['Decimal128', decimal],
  ['Double', decimal],
  ['ObjectId', objectId],
  ['RegExp', regex],
]);

const numeric = new Set<unknown>([int32, int64, decimal]);

function argumentOf(node: TreeNode, reader: Reader): Argument | undefined {
  if (node.kind === 'text') {
    checkText(node, reader);
    return unquote(reader.text.slice(node.start, node.end));
  }
  if (node.kind === 'word') return numberFrom(reader.text.slice(node.start, node.end));
  const bound = node.kind === 'parameter' ? reader.parameter(node) : undefined;
  const value = bound?.kind === 'date' ? bound.ms : bound?.kind === 'value' ? bound.value : undefined;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  reader.replaced?.(node, value, false);
  return value;
}

function hintFor(name: string): string {
  if (/^db\b/.test(name)) return 'Use only the value inside its parentheses.';
  if (/\bnow$/i.test(name)) return 'For the current time, use {{now}}.';
  const suggestion = nearestWord(name, callConverters.keys());
  return suggestion === undefined
    ? 'Write the value itself, in quotes if it is text.'
    : `Did you mean ${suggestion}(…)?`;
}

/**
 * The value of a call such as `ISODate("…")`, from a fixed list; nothing is executed. Other calls are
 * refused.
 */
export function convertCall(
  node: Pick<CallNode, 'name' | 'args' | 'start' | 'end'>,
  where: Where,
  reader: Reader,
): JsonValue {
  const [, sign, name = ''] = /^([+-]?)(.*)$/s.exec(node.name) ?? [];
  const quotedName = quote(name, { start: 0, end: name.length });
  const converter = callConverters.get(name);
  if (!converter) return reader.refuse(node, `${quotedName}(…) isn’t supported. ${hintFor(name)}`);
  const isSigned = sign !== '' || /[+-]/.test(reader.text.charAt(node.start));
  if (isSigned && !numeric.has(converter)) return refuseSum(node, reader);
  const issues = reader.issues.length;
  const args: Argument[] = [];
  for (const argument of node.args) {
    const value = argumentOf(argument, reader);
    if (value !== undefined) args.push(value);
    else if (reader.issues.length === issues) {
      return reader.refuse(
        argument,
        `${name} takes text or a number here, not ${quote(reader.text, argument)}. Put text in quotes.`,
      );
    }
  }
  const value = reader.issues.length > issues ? null : converter({ node, name, args, where, reader });
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  return isNumber && reader.text[node.start] === '-' ? -value : value;
}

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
