import type { Expression, ObjectExpression, Property } from 'acorn';
import type { JsonObject, JsonValue } from '../json.ts';
import { quote, type Reader, type Where } from './reader.ts';
import { refuseCode } from './refuse.ts';
import { checkEscapes } from './texts.ts';

type Convert = (node: Expression, where: Where, reader: Reader) => JsonValue;

/** The name of a property; undefined when it was refused. */
function keyOf(property: Property, reader: Reader): string | undefined {
  const { key, value, computed, shorthand, method, kind } = property;
  const said = quote(reader.text, key);
  if (method || kind !== 'init') reader.refuse(property, "Functions can't be sent. Write the value itself.");
  else if (computed)
    reader.refuse(property, 'A field name is not worked out from []. Write the name itself.');
  else if (shorthand) {
    const isEqual =
      value.type === 'AssignmentExpression' || /^[^,}]*=/.test(reader.text.slice(key.end, property.end));
    reader.refuse(
      property,
      isEqual
        ? `Write a colon after ${said} instead of =.`
        : `${said} has no value. Write ${said}: and a value after it.`,
    );
  } else if (key.type === 'Identifier') return key.name;
  else if (key.type === 'Literal' && typeof key.value === 'string') {
    if (reader.parameter(key) !== undefined) {
      reader.refuse(key, `${said} can't be a field name. Write the name itself.`);
      return undefined;
    }
    checkEscapes(key, reader);
    return key.value;
  } else if (key.type === 'Literal' && /^(?:0|[1-9]\d*)$/.test(key.raw ?? '')) return key.raw;
  else reader.refuse(key, `${said} can't be a field name as it stands. Put it in quotes: "${said}".`);
  return undefined;
}

/** `$regex: /…/i` takes the pattern as its text and the flags as `$options`, as the shells do. */
function setRegexText(object: JsonObject, property: Property, value: JsonObject, reader: Reader): void {
  object['$regex'] = value['$regex'] ?? '';
  const options = value['$options'];
  if (options === undefined) return;
  if (Object.hasOwn(object, '$options')) {
    reader.refuse(property, 'Flags stand both after the expression and in $options. Keep them in one place.');
  } else object['$options'] = options;
}

const isRegex = (node: Expression): boolean => node.type === 'Literal' && node.regex !== undefined;

/** The JSON object of an object expression. Field names that stand twice, and `__proto__`, are refused. */
export function convertObject(
  node: ObjectExpression,
  where: Where,
  reader: Reader,
  convert: Convert,
): JsonObject {
  const object: JsonObject = {};
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      refuseCode(property, reader);
      continue;
    }
    const key = keyOf(property, reader);
    if (key === undefined) continue;
    if (key === '__proto__') {
      reader.refuse(property.key, "__proto__ can't be a field name. Leave it out.");
      continue;
    }
    if (Object.hasOwn(object, key)) {
      reader.refuse(
        property.key,
        `${key} stands here a second time, and only one of the two would count. Put both into one, or use $and.`,
      );
      continue;
    }
    const field = key.startsWith('$') ? where.field : key;
    const value = convert(property.value, { field, key, list: null }, reader);
    if (key === '$regex' && isRegex(property.value) && value !== null) {
      setRegexText(object, property, value as JsonObject, reader);
    } else object[key] = value;
  }
  return object;
}
