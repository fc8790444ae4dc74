import type { ArrayExpression, Expression, Literal, TemplateLiteral, UnaryExpression } from 'acorn';
import type { JsonValue } from '../json.ts';
import { convertCall, makesNumber } from './calls.ts';
import { dateAt } from './dates.ts';
import { convertObject } from './objects.ts';
import { numberOf } from './numbers.ts';
import { isParameter, quote, type Bound, type Reader, type Where } from './reader.ts';
import { refuseCode } from './refuse.ts';
import { regexAt } from './regex.ts';
import { checkEscapes, filledTemplate } from './texts.ts';
import { isSpliced, wellsAt } from './wells.ts';

function boundValue(bound: Bound | null, node: Literal, where: Where, reader: Reader): JsonValue {
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

function convertLiteral(node: Literal, where: Where, reader: Reader): JsonValue {
  const bound = reader.parameter(node);
  if (bound !== undefined) return boundValue(bound, node, where, reader);
  if (node.regex) return regexAt(node.regex, node, where, reader);
  const { value } = node;
  if (typeof value === 'number' || typeof value === 'bigint') {
    const number = numberOf(node.raw ?? '');
    return Number.isFinite(Number(number)) || typeof number === 'bigint'
      ? number
      : reader.refuse(node, `${quote(reader.text, node)} is too large for a number. Write a smaller one.`);
  }
  if (typeof value === 'string') {
    checkEscapes(node, reader);
    return value;
  }
  return typeof value === 'boolean' ? value : null;
}

function convertTemplate(node: TemplateLiteral, reader: Reader): JsonValue {
  const [only] = node.quasis;
  if (node.expressions.length > 0 || only === undefined) {
    return reader.refuse(node, filledTemplate);
  }
  checkEscapes(node, reader);
  return only.value.cooked ?? '';
}

function convertSign(node: UnaryExpression, where: Where, reader: Reader): JsonValue {
  const { argument, operator } = node;
  const isNumber =
    (argument.type === 'Literal' &&
      (typeof argument.value === 'number' || typeof argument.value === 'bigint')) ||
    (argument.type === 'CallExpression' && makesNumber(argument));
  if ((operator !== '-' && operator !== '+') || !isNumber) return refuseCode(node, reader);
  const issues = reader.issues.length;
  const value = convert(argument, where, reader);
  if (reader.issues.length > issues) return null;
  if (typeof value !== 'number' && typeof value !== 'bigint') return refuseCode(node, reader);
  return operator === '-' ? -value : value;
}

/** The chosen wells, where they give their ids to the list that they stand in. */
function splicedWells(
  element: Expression,
  list: ArrayExpression,
  where: Where,
  reader: Reader,
): JsonValue[] | undefined {
  if (!isParameter(reader.text, element) || element.type !== 'Literal' || !isSpliced(list, where))
    return undefined;
  const bound = reader.parameter(element);
  if (bound?.kind !== 'wells') return [boundValue(bound ?? null, element, { ...where, key: null }, reader)];
  const ids = [...bound.ids];
  reader.replaced?.(element, ids, true);
  return ids;
}

function convertArray(node: ArrayExpression, where: Where, reader: Reader): JsonValue {
  const values: JsonValue[] = [];
  const inside: Where = { field: comparedField(node) ?? where.field, key: null, list: where.key ?? '' };
  for (const [index, element] of node.elements.entries()) {
    if (element === null) {
      const start = node.elements[index - 1]?.end ?? node.start;
      const message = `Element ${index + 1} of this list is missing. Remove the extra comma, or write null.`;
      reader.refuse({ start, end: start }, message);
    } else if (element.type === 'SpreadElement') refuseCode(element, reader);
    else {
      const wells = splicedWells(element, node, where, reader);
      if (wells) values.push(...wells);
      else values.push(convert(element, inside, reader));
    }
  }
  return values;
}

/** The field that an expression such as `{$gte: ["$datetime", …]}` compares with. */
function comparedField(node: ArrayExpression): string | undefined {
  for (const element of node.elements) {
    if (element?.type !== 'Literal' || typeof element.value !== 'string') continue;
    if (element.value.startsWith('$')) return element.value.replace(/^\$+/, '');
  }
  return undefined;
}

/**
 * The JSON value of an expression, by an allow-list of node types; what is not on it is noted in the reader as an
 * issue, and null stands in its place. Nothing is ever run.
 */
export function convert(node: Expression, where: Where, reader: Reader): JsonValue {
  if (node.type === 'Literal') return convertLiteral(node, where, reader);
  if (node.type === 'ObjectExpression') return convertObject(node, where, reader, convert);
  if (node.type === 'ArrayExpression') return convertArray(node, where, reader);
  if (node.type === 'TemplateLiteral') return convertTemplate(node, reader);
  if (node.type === 'UnaryExpression') return convertSign(node, where, reader);
  if (node.type === 'CallExpression' || node.type === 'NewExpression')
    return convertCall(node, where, reader);
  if (node.type === 'ParenthesizedExpression') return convert(node.expression, where, reader);
  return refuseCode(node, reader);
}
