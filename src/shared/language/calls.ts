import type { JsonValue } from '../json.ts';
import { dateAt, millisecondsOf } from './dates.ts';
import { nearestWord } from './nearest.ts';
import { decimalFrom, integerFrom, numberFrom } from './numbers.ts';
import { quote, type Reader, type Span, type Where } from './reader.ts';
import { regexAt } from './regex.ts';
import { refuseSum } from './refuse.ts';
import { checkText, unquote } from './texts.ts';
import type { CallNode, TreeNode } from './tree/tree.ts';

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
    `${quote(reader.text, node)} isn't a valid date. Write it as ${name}("2024-01-31T06:00:00Z"), to the millisecond at most.`,
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
  if (!converter) return reader.refuse(node, `${quotedName}(…) isn't supported. ${hintFor(name)}`);
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
