import type { Expression, SpreadElement } from 'acorn';
import { nearest } from './nearest.ts';
import { quote, type Reader } from './reader.ts';

const constants = new Map([
  ['none', 'null'],
  ['nil', 'null'],
  ['null', 'null'],
  ['undefined', 'null'],
  ['true', 'true'],
  ['false', 'false'],
]);

const parameters = new Set(['wells', 'company', 'now', 'today']);

function word(name: string): string {
  if (name === 'undefined') return 'undefined has no form in JSON. Write null, or leave the field out.';
  if (name === 'NaN' || name === 'Infinity') return `${name} has no form in JSON. Write a number, or null.`;
  const constant = constants.get(name.toLowerCase());
  if (constant !== undefined) return `${name} is not known. Did you mean ${constant}?`;
  if (parameters.has(name)) {
    return `${name} is neither a number nor true, false or null. Did you mean {{${name}}}, or "${name}" as text?`;
  }
  const near = name.length > 3 ? nearest(name, ['true', 'false', 'null']) : undefined;
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return `${name} is neither a number nor true, false or null.${hint} If it is text, put it in quotes: "${name}".`;
}

function sum(said: string): string {
  const date = /^\d{4}-\d{1,2}-\d{1,2}/.test(said.replaceAll(' ', ''));
  return date
    ? `A date needs quotes. Did you mean ISODate("${said}")?`
    : 'Nothing is worked out here. Write the result itself, or a parameter such as {{now-24h}}.';
}

function member(said: string): string {
  return /^[\w$.]+$/.test(said)
    ? `${said} is not known here. If it is text, put it in quotes: "${said}".`
    : 'Only one value can stand here. Remove the rest, or put a comma between elements of a list.';
}

const noFunction = (): string =>
  "Functions can't be sent. Write the condition with operators such as $gt or $in.";

type Code = Expression | SpreadElement;

// What to say about code that people do write; for anything rarer there is one general sentence.
const advice: Partial<Record<Code['type'], (said: string) => string>> = {
  Identifier: word,
  MemberExpression: member,
  BinaryExpression: sum,
  LogicalExpression: sum,
  ConditionalExpression: sum,
  UnaryExpression: sum,
  UpdateExpression: sum,
  AssignmentExpression: () => 'Nothing is assigned here. Write a colon instead of =.',
  FunctionExpression: noFunction,
  ArrowFunctionExpression: noFunction,
  ClassExpression: noFunction,
  SpreadElement: () => 'Three dots are not known here. Write the elements themselves.',
  SequenceExpression: () =>
    'Only one value can stand here. Remove the rest, or put them all between [ and ].',
  TaggedTemplateExpression: () => 'Only plain text can stand between backticks. Put it in quotes.',
};

/** Refuses a piece of code that is no data, and says what to write instead. */
export function refuseCode(node: Code, reader: Reader): null {
  const span = node.type === 'SequenceExpression' ? (node.expressions[1] ?? node) : node;
  const said = quote(reader.text, node);
  const message =
    advice[node.type]?.(said) ??
    `${said} is code, not data. Write the value itself, in quotes if it is text.`;
  return reader.refuse(span, message);
}
