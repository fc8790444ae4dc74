import type { JsonObject, JsonValue } from '../json.ts';
import type { Reader, Span, Where } from './reader.ts';

const listOperators = new Set(['$in', '$nin', '$all']);

/**
 * A regular expression as JSON says it: `{$regex, $options}`. JSON has no other form for it, so it is refused where
 * that form would mean something else.
 */
export function regexAt(
  { pattern, flags }: { pattern: string; flags: string },
  span: Span,
  where: Where,
  reader: Reader,
): JsonValue {
  const odd = /[^imsux]/.exec(flags)?.[0];
  if (odd !== undefined) {
    return reader.refuse(
      span,
      `The flag ${odd} means nothing in a query. Leave it out; i, m, s and x are known.`,
    );
  }
  if (where.list !== null && listOperators.has(where.list)) {
    return reader.refuse(
      span,
      `A regular expression can't stand inside ${where.list}. Use $or with one condition for each expression.`,
    );
  }
  const options = flags.replace('u', '');
  const value: JsonObject = { $regex: pattern };
  if (options) value['$options'] = options;
  return value;
}
