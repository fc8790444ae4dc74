import { isObject, parseJson, stringifyJson, type JsonValue } from '../../../../shared/json.ts';

const indent = (depth: number): string => '  '.repeat(depth);

/**
 * A record as text: each field, and each item of its list, on a line of its own.
 * @param json the record with the first items of its list
 * @param into the path of the list
 * @param afterItems the line after these items; null: there are no more
 */
export function recordText(json: string, into: string, afterItems: string | null): string {
  const textOf = (value: JsonValue, path: readonly string[]): string => {
    const before = indent(path.length);
    const within = indent(path.length + 1);
    if (Array.isArray(value) && path.join('.') === into) {
      const lines = [
        ...value.map((item) => stringifyJson(item)),
        ...(afterItems === null ? [] : [afterItems]),
      ];
      return `[\n${lines.map((line) => within + line).join('\n')}\n${before}]`;
    }
    if (!isObject(value)) return stringifyJson(value);
    const fields = Object.entries(value);
    const lines = fields.map(([name, field]) => `${within}${name}: ${textOf(field, [...path, name])}`);
    return `{\n${lines.join('\n')}\n${before}}`;
  };
  return textOf(parseJson(json), []);
}
