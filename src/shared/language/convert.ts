import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { convertCall } from './calls.ts';
import { dateAt } from './dates.ts';
import { numberFrom } from './numbers.ts';
import { quote, type Reader, type Span, type Where } from './reader.ts';
import { refuseWord } from './refuse.ts';
import { isRegex, optionsOf, partsOfRegex, regexAt } from './regex.ts';
import { checkText, unquote } from './texts.ts';
import type { Leaf, ListNode, Member, ObjectNode, TreeNode } from './tree/tree.ts';

const listOperators = new Set(['$in', '$nin', '$all']);

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
      `${source} isn't a valid field name without quotes. Put it in quotes: "${source}".`,
    );
  if (key.name === '__proto__')
    return reader.refuse(key, "__proto__ isn't allowed as a field name. Remove it.");
  if (!Object.hasOwn(object, key.name)) return key.name;
  return reader.refuse(
    key,
    `${source} is repeated, and only one of the two would apply. Combine them, or use $and.`,
  );
}

/** The JSON object of an object expression. Duplicate names and `__proto__` are refused. */
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
export function convert(node: TreeNode, where: Where, reader: Reader): JsonValue {
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
