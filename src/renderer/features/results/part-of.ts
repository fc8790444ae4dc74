import { isObject, stringifyJson, type JsonValue } from '../../../shared/json.ts';

/** What stands at a path of a record, as JSON; array items are named by their number. */
export function partOf(record: JsonValue, path: readonly string[]): string {
  let part: JsonValue | undefined = record;
  for (const name of path) {
    if (Array.isArray(part)) part = part[Number(name)];
    else part = isObject(part) && Object.hasOwn(part, name) ? part[name] : undefined;
  }
  return part === undefined ? '' : stringifyJson(part, 2);
}
