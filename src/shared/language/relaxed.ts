import { AppError } from '../errors/errors.ts';
import { isObject, stringifyJson, type JsonObject, type JsonValue } from '../json.ts';
import {
  atTop,
  createReader,
  placeFinder,
  type Reader,
  comparisons,
  listOperators,
  quote,
  type Span,
  type Where,
  refuseSum,
  refuseWord,
} from './reader.ts';
import {
  readTree,
  maxDepth,
  type Misplaced,
  type TreeNode,
  type Leaf,
  type ListNode,
  type Member,
  type ObjectNode,
} from './tree/tree.ts';
import { closing, isSignificant, scan, type Lexeme } from './scan.ts';
import { convertCall, isRegex, optionsOf, partsOfRegex, regexAt } from './calls.ts';
import { dateAt, numberFrom, checkText, unquote } from './literals.ts';

/**
 * The value of `{{wells}}`:
 * - as the value of a field: the id of one well, or `{"$in": […]}` of several;
 * - as the value of `$in`, `$nin`, or `$all`, as an element of another list, or alone: the list of ids;
 * - as the value of `$not`: `{"$in": […]}`;
 * - as the value of another operator (`$eq`, `$ne`, …): the id of one well; several are refused.
 */
function wellsAt(ids: readonly number[], span: Span, { key }: Where, reader: Reader): JsonValue {
  if (key === null || listOperators.has(key)) return [...ids];
  if (key === '$not') return { $in: [...ids] };
  const [first] = ids;
  if (ids.length === 1 && first !== undefined) return first;
  if (!key.startsWith('$')) return { $in: [...ids] };
  return reader.refuse(
    span,
    `${key} takes one well, but ${ids.length} are selected. Use $in or $nin with {{wells}}, or select one well.`,
  );
}

function convertParameter(node: Span, where: Where, reader: Reader): JsonValue {
  const bound = reader.parameter(node);
  if (bound === null) return null;
  const value =
    bound.kind === 'value'
      ? bound.value
      : bound.kind === 'date'
        ? dateAt(bound.ms, where)
        : wellsAt(bound.ids, node, where, reader);
  reader.replaced?.(node, value, false);
  return value;
}

const words: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function convertWord(node: Leaf, where: Where, reader: Reader): JsonValue {
  const source = reader.text.slice(node.start, node.end);
  const constant = words.get(source);
  if (constant !== undefined) return constant;
  const number = numberFrom(source);
  if (number === undefined) {
    const [, name] = /^new\s+([\w$.]+)$/.exec(source) ?? [];
    return name === undefined
      ? refuseWord(node, reader)
      : convertCall({ ...node, name, args: [] }, where, reader);
  }
  return typeof number === 'bigint' || Number.isFinite(number)
    ? number
    : reader.refuse(node, `${quote(reader.text, node)} is too large for a number. Use a smaller one.`);
}

const textOf = (node: TreeNode | undefined, { text }: Reader): string | undefined =>
  node?.kind === 'text' ? unquote(text.slice(node.start, node.end)) : undefined;

/**
 * The selected wells where their ids become elements of the list: `$in: [5001, {{wells}}]`. Not in the
 * expression `{$in: ["$asset_id", {{wells}}]}`, whose second element is itself a list.
 */
function spliceWells(item: TreeNode, list: ListNode, where: Where, reader: Reader): JsonValue[] | undefined {
  const [first] = list.items;
  const isExpression = first?.kind === 'object' || textOf(first, reader)?.startsWith('$');
  const isSpliced = where.key !== null && listOperators.has(where.key) && !isExpression;
  const bound = isSpliced && item.kind === 'parameter' ? reader.parameter(item) : null;
  if (bound?.kind !== 'wells') return undefined;
  const ids = [...bound.ids];
  reader.replaced?.(item, ids, true);
  return ids;
}

/** The field that an expression such as `{$gte: ["$datetime", …]}` compares with. */
function comparedField({ items }: ListNode, reader: Reader): string | undefined {
  const path = items.map((item) => textOf(item, reader)).find((source) => source?.startsWith('$'));
  return path?.replace(/^\$+/, '');
}

function convertList(node: ListNode, where: Where, reader: Reader): JsonValue[] {
  const inside = { field: comparedField(node, reader) ?? where.field, key: null, list: where.key ?? '' };
  return node.items.flatMap(
    (item) => spliceWells(item, node, where, reader) ?? [convert(item, inside, reader)],
  );
}

/** The name of a member; null where it can't be one, which is noted. */
function nameOf({ key }: Member, object: JsonObject, reader: Reader): string | null {
  const source = quote(reader.text, key);
  const isText = /^["'`]/.test(source);
  if (isText) checkText(key, reader);
  else if (!/^(?:[\p{ID_Start}$_][\p{ID_Continue}$]*|0|[1-9]\d*)$/u.test(key.name))
    return reader.refuse(
      key,
      `${source} isn’t a valid field name without quotes. Put it in quotes: "${source}".`,
    );
  if (key.name === '__proto__')
    return reader.refuse(key, '__proto__ isn’t allowed as a field name. Remove it.');
  if (!Object.hasOwn(object, key.name)) return key.name;
  return reader.refuse(
    key,
    `${source} is repeated, and only one of the two would apply. Combine them, or use $and.`,
  );
}

/** Duplicate names and `__proto__` are refused. */
function convertObject(node: ObjectNode, where: Where, reader: Reader): JsonObject {
  const object: JsonObject = {};
  // For patterns given as text: the key of their flags.
  const flags: { value: TreeNode; optionsKey: string; source: JsonValue }[] = [];
  for (const member of node.members) {
    const key = nameOf(member, object, reader);
    if (key === null || !member.value) continue;
    const field = key.startsWith('$') ? where.field : key;
    const optionsKey = isRegex(member.value) ? optionsOf(key, where) : undefined;
    // With $options, the pattern is text and not a condition of its own.
    const at: Where = { field, key: optionsKey === undefined ? key : null, list: null };
    const value = convert(member.value, at, reader);
    if (optionsKey !== undefined && isObject(value)) {
      object[key] = value['$regex'] ?? null;
      const source = value['$options'];
      if (source !== undefined) flags.push({ value: member.value, optionsKey, source });
    } else object[key] = value;
  }
  for (const { value, optionsKey, source } of flags) {
    if (!Object.hasOwn(object, optionsKey)) object[optionsKey] = source;
    else
      reader.refuse(
        value,
        `Flags are set both after the expression and in ${optionsKey}. Keep them in one place.`,
      );
  }
  return object;
}

function convertRegex(node: Span, where: Where, reader: Reader): JsonValue {
  const parts = partsOfRegex(reader.text.slice(node.start, node.end));
  return typeof parts === 'string' ? reader.refuse(node, parts) : regexAt(parts, node, where, reader);
}

/**
 * The JSON value of a node. Problems are recorded in the reader, with null as the value. Nothing is executed.
 */
function convert(node: TreeNode, where: Where, reader: Reader): JsonValue {
  switch (node.kind) {
    case 'object':
      return convertObject(node, where, reader);
    case 'list':
      return convertList(node, where, reader);
    case 'call':
      return convertCall(node, where, reader);
    case 'text':
      checkText(node, reader);
      return unquote(reader.text.slice(node.start, node.end));
    case 'parameter':
      return convertParameter(node, where, reader);
    case 'regex':
      return convertRegex(node, where, reader);
    case 'word':
      return convertWord(node, where, reader);
  }
}

/** The context of a position: its open brackets, the lexemes before it, and the one at it. */
interface SyntaxContext {
  readonly text: string;
  readonly open: readonly Lexeme[];
  /** The last two lexemes before it, nearest first. */
  readonly last: readonly Lexeme[];
  /** The lexeme at or around it; undefined at the end of the text. */
  readonly here: Lexeme | undefined;
}

function syntaxContextAt(text: string, at: number): SyntaxContext {
  const open: Lexeme[] = [];
  let last: Lexeme[] = [];
  for (const lexeme of scan(text)) {
    if (!isSignificant(lexeme)) continue;
    if (lexeme.end > at) return { text, open, last, here: lexeme };
    if (lexeme.kind === 'open') open.push(lexeme);
    if (lexeme.kind === 'close') open.pop();
    last = [lexeme, ...last.slice(0, 1)];
  }
  return { text, open, last, here: undefined };
}

function atEnd({ text, open }: SyntaxContext): string {
  const bracket = open.at(-1);
  if (!bracket) return 'The value is incomplete. Complete it.';
  const char = text.charAt(bracket.start);
  const line = text.slice(0, bracket.start).split(/\r\n|\r|\n/).length;
  return `The text ends before the ${char} of line ${line} is closed. Add ${closing[char] ?? ''} at the end.`;
}

function wrongBracket({ text, open }: SyntaxContext, source: string): string | undefined {
  const bracket = open.at(-1);
  if (!bracket) return `This ${source} has no matching opening. Remove it.`;
  const char = text.charAt(bracket.start);
  if (closing[char] === source) return undefined;
  return `This ${source} appears where ${closing[char] ?? ''} is expected. Close the ${char} first, or remove it.`;
}

const missingColon = (name: string, source: string): string => {
  const operator = comparisons.get(source);
  if (operator !== undefined) return `${source} is not known here. Did you mean ${name}: {${operator}: …}?`;
  return source.startsWith('=')
    ? '= isn’t supported here. Use a colon.'
    : `A colon is missing after ${name}. Write it before ${source}.`;
};

/** Within { }: what is wrong with a name, or between a name and its value. */
function aroundName({ text, open, last, here }: SyntaxContext, source: string): string | undefined {
  const [previous, beforeIt] = last;
  const bracket = open.at(-1);
  if (!bracket || !previous || text[bracket.start] !== '{') return undefined;
  const ends = (lexeme: Lexeme | undefined) => lexeme === bracket || lexeme?.kind === 'comma';
  if (ends(previous)) {
    if (here?.kind === 'comma') return undefined;
    if (here?.kind === 'parameter') return `${source} can’t be a field name. Write the name itself.`;
    if (source === '[') return 'Computed field names aren’t supported. Enter the name.';
    return here?.kind === 'word' && !/^[=<>!]/.test(source)
      ? `${source} isn’t a valid field name without quotes. Put it in quotes: "${source}".`
      : `A field name is expected here, not ${source}. Write a name and a colon before the value.`;
  }
  if (!ends(beforeIt) || previous.kind === 'colon') return undefined;
  const name = quote(text, previous);
  return here?.kind === 'close' || here?.kind === 'comma'
    ? `${name} has no value. Write ${name}: and a value after it.`
    : missingColon(name, source);
}

function aroundValue({ text, open, last, here }: SyntaxContext, source: string): string | undefined {
  const [previous] = last;
  if (here?.kind === 'colon') return 'Unexpected second colon. Put text that contains a colon in quotes.';
  if (previous?.kind === 'colon') {
    const operator = comparisons.get(source);
    if (operator !== undefined) return `${source} isn’t supported here. Did you mean {${operator}: …}?`;
    if (here?.kind === 'close') return `A value is missing before ${source}. Write one.`;
  }
  const isAfterValue = previous && !['open', 'colon', 'comma'].includes(previous.kind);
  if (!isAfterValue || !open.length) return undefined;
  return comparisons.has(quote(text, previous))
    ? undefined
    : `A comma is missing before ${source}. Write it.`;
}

const onlyOne = 'Only one value is allowed here. Remove the rest, or put them all between [ and ].';

/** Why a lexeme isn't allowed in its place, and what to write instead. */
function unexpected(scene: SyntaxContext): string {
  const { text, here, open } = scene;
  if (!here) return atEnd(scene);
  if (here.kind === 'open' && text.startsWith('{{', here.start - 1))
    return 'This parameter isn’t closed. Add }} at the end.';
  const source = quote(text, here);
  if (source === ';') return 'Unexpected semicolon. Use a comma, or remove it.';
  const named =
    (here.kind === 'close' ? wrongBracket(scene, source) : undefined) ?? aroundName(scene, source);
  if (named !== undefined) return named;
  if (here.kind === 'comma')
    return text[open.at(-1)?.start ?? -1] === '('
      ? onlyOne
      : 'Extra comma, or a missing value before it. Remove the comma.';
  return (
    aroundValue(scene, source) ??
    `${source} isn’t allowed here. If it is text, put it in quotes: "${source.replaceAll('"', '')}".`
  );
}

function refuseRest(rest: Lexeme, reader: Reader): null {
  const { text } = reader;
  const span: Span = { start: rest.start, end: text.length };
  if (rest.kind === 'comma') return reader.refuse(span, onlyOne);
  const hint = text[rest.start] === ';' ? 'Remove the semicolon.' : 'Remove it.';
  return reader.refuse(span, `Unexpected ${quote(text, span)} after the end. ${hint}`);
}

/** Refuses code: a function, an assignment, a sum. Returns false if it isn't code. */
function refuseCode(after: TreeNode, here: Lexeme, reader: Reader): boolean {
  const source = reader.text.slice(here.start, here.end);
  const from = reader.text.slice(after.start, after.start + 30);
  const span: Span = { start: after.start, end: here.end };
  if (from.startsWith('#')) return false;
  if (/^(?:async\s+)?(?:function|class)\b/.test(from) || source.startsWith('=>'))
    reader.refuse(span, 'Functions aren’t supported. Use operators such as $gt or $in.');
  else if (here.kind === 'word' && /^=(?!=)/.test(source))
    reader.refuse(span, 'Assignments aren’t supported. Use a colon instead of =.');
  else if (here.kind === 'regex' || (here.kind === 'word' && /^[+\-*%&|^<>!=?]/.test(source)))
    refuseSum(span, reader);
  else return false;
  return true;
}

/** Refuses the first misplaced lexeme, or its cause before it. */
function refuseMisplaced({ at, after, isTooDeep }: Misplaced, reader: Reader): null {
  const scene = syntaxContextAt(reader.text, at);
  const { here, open, last } = scene;
  const span = { start: at, end: here?.end ?? at };
  if (isTooDeep)
    return reader.refuse(
      span,
      `This is nested more than ${maxDepth} levels deep. Flatten it, or check for extra brackets.`,
    );
  const [previous] = last;
  const follows = reader.text.slice(at, at + 20);
  if (previous && /^(?:\)\s*=>|\()/.test(follows) && (!after || follows[0] === ')'))
    return reader.refuse(previous, 'Functions aren’t supported. Enter the value.');
  if (after && here?.kind === 'colon' && open.length === 0)
    return reader.refuse(
      after,
      `The braces are missing. Put { before ${quote(reader.text, after)} and } at the end.`,
    );
  if (after && here && refuseCode(after, here, reader)) return null;
  if (after) convert(after, atTop, reader);
  if (reader.issues.length > 0) return null;
  if (after && here && open.length === 0) return refuseRest(here, reader);
  const message = unexpected(scene);
  return reader.refuse(/has no value/.test(message) && previous ? previous : span, message);
}

interface ParsedText {
  readonly value: JsonValue;
  readonly start: number;
}

/**
 * Parses one value; null for blank text or only comments. After a recorded problem the value is meaningless.
 */
export function read(reader: Reader): ParsedText | null {
  const { text } = reader;
  const { root, comments, misplaced } = readTree(text);
  const comment = comments.at(-1);
  const isOpen = comment && /^\/\*(?!.*\*\/$)/s.test(text.slice(comment.start, comment.end));
  if (isOpen && (misplaced?.at ?? text.length) === text.length)
    reader.refuse(comment, 'This comment is not closed. Add */ at the end.');
  else if (misplaced) refuseMisplaced(misplaced, reader);
  else if (root) return { value: convert(root, atTop, reader), start: root.start };
  return reader.issues.length > 0 ? { value: null, start: 0 } : null;
}

function fail(text: string, field: string, at: number, message: string): never {
  throw new AppError('invalid_input', { issues: [{ message, place: placeFinder(text, field)(at) }] });
}

function readOrThrow(text: string, field: string): ParsedText | null {
  const reader = createReader(text, field);
  const parsed = read(reader);
  if (reader.issues.length > 0) throw new AppError('invalid_input', { issues: reader.issues });
  return parsed;
}

function kindOf(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return 'a text';
  if (typeof value !== 'object') return 'a number';
  return Array.isArray(value) ? 'a list' : 'an object';
}

/**
 * Parses relaxed JSON: comments, unquoted names, single quotes, trailing commas, `ISODate("…")`,
 * `NumberLong("…")`, `ObjectId("…")`, and regular expressions; integers stay exact, and a date becomes Unix
 * milliseconds, or ISO 8601 text for a field `datetime`. Nothing is executed or ignored.
 * @param field the input field, for places in errors
 * @throws AppError `invalid_input` with line and column of every problem
 */
export function parseRelaxed(text: string, field: string): JsonValue {
  const parsed = readOrThrow(text, field);
  return parsed ? parsed.value : fail(text, field, text.length, 'A value is missing. Enter one.');
}

/** As {@link parseRelaxed}; undefined if the text is blank or can't be read. */
export function tryRelaxed(text: string): JsonValue | undefined {
  const reader = createReader(text, '');
  const parsed = read(reader);
  return reader.issues.length > 0 ? undefined : parsed?.value;
}

/** As {@link parseRelaxed}, for an object. A blank text means `{}`. @throws AppError invalid_input */
export function parseRelaxedObject(text: string, field: string): JsonObject {
  const parsed = readOrThrow(text, field);
  if (!parsed) return {};
  const { value, start } = parsed;
  if (isObject(value)) return value;
  return fail(text, field, start, `This must be an object, not ${kindOf(value)}. Put it between { and }.`);
}

/** As {@link parseRelaxed}, for a list, such as the stages of a pipeline. @throws AppError invalid_input */
export function parseRelaxedArray(text: string, field: string): JsonValue[] {
  const parsed = readOrThrow(text, field);
  if (!parsed) return fail(text, field, text.length, 'A list is missing. Enter it between [ and ].');
  const { value, start } = parsed;
  if (Array.isArray(value)) return value;
  return fail(text, field, start, `This must be a list, not ${kindOf(value)}. Put it between [ and ].`);
}

/** The query of the first stage of a pipeline as text; all records if it has none. @throws AppError `invalid_input` */
export function matchOfStages(stages: string): string {
  const [first] = parseRelaxedArray(stages, 'stages');
  return isObject(first) && isObject(first['$match']) ? stringifyJson(first['$match']) : '{}';
}
