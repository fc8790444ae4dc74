import type { JsonObject, JsonValue } from '../json.ts';
import type { Reader, Span, Where } from './reader.ts';
import type { TreeNode } from './tree/tree.ts';

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
    return `A regular expression isn't allowed inside ${place}. Use $or with one condition for each expression.`;
  }
  if (key === null || key === '$not' || !key.startsWith('$')) return undefined;
  return `${key} doesn't accept a regular expression. Use it as the value of the field or of $not.`;
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
    odd === undefined ? misplaced(where) : `The flag ${odd} isn't supported. Remove it; use i, m, or s.`;
  if (wrong !== undefined) return reader.refuse(span, wrong);
  const value: JsonObject = { $regex: pattern };
  if (flags) value['$options'] = flags;
  return value;
}
