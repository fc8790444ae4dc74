import type { Expression, ObjectExpression, Property } from 'acorn';
import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { isParameter, quote, type Reader, type Where } from './reader.ts';
import { isRegex, optionsOf } from './regex.ts';
import { refuseCode } from './refuse.ts';
import { checkEscapes } from './texts.ts';

type Convert = (node: Expression, where: Where, reader: Reader) => JsonValue;

function shorthand({ key, value, end }: Property, said: string, text: string): string {
  const isEqual = value.type === 'AssignmentExpression' || text.slice(key.end, end).includes('=');
  return isEqual
    ? `The sign = is not known here. Write a colon instead of = after ${said}.`
    : `${said} has no value. Write ${said}: and a value after it.`;
}

/** What is wrong with the name of a property, or the name. */
function nameOf(property: Property, text: string): { name: string } | { wrong: string } {
  const { key, computed, method, kind } = property;
  const said = quote(text, key);
  if (method || kind !== 'init') return { wrong: "Functions can't be sent. Write the value itself." };
  if (computed) return { wrong: 'A field name is not worked out from []. Write the name itself.' };
  if (property.shorthand) return { wrong: shorthand(property, said, text) };
  if (isParameter(text, key)) return { wrong: `${said} can't be a field name. Write the name itself.` };
  const name =
    key.type === 'Identifier'
      ? key.name
      : key.type === 'Literal' && typeof key.value === 'string'
        ? key.value
        : undefined;
  if (name === '__proto__') return { wrong: "__proto__ can't be a field name. Leave it out." };
  if (name !== undefined) return { name };
  if (key.type === 'Literal' && /^(?:0|[1-9]\d*)$/.test(key.raw ?? '')) return { name: said };
  return { wrong: `${said} can't be a field name as it stands. Put it in quotes: "${said}".` };
}

function keyOf(property: Property, object: JsonObject, reader: Reader): string | null {
  const { key } = property;
  const found = nameOf(property, reader.text);
  if ('wrong' in found) return reader.refuse(key, found.wrong);
  if (key.type === 'Literal') checkEscapes(key, reader);
  if (!Object.hasOwn(object, found.name)) return found.name;
  return reader.refuse(
    key,
    `${quote(reader.text, key)} stands here a second time, and only one of the two would count. Put both into one, or use $and.`,
  );
}

/** The flags of an expression whose pattern stands as a text, and the key that takes them. */
interface Flags {
  readonly property: Property;
  readonly optionsKey: string;
  readonly value: JsonValue;
}

function setFlags(object: JsonObject, flags: readonly Flags[], reader: Reader): void {
  for (const { property, optionsKey, value } of flags) {
    if (!Object.hasOwn(object, optionsKey)) object[optionsKey] = value;
    else {
      reader.refuse(
        property.value,
        `Flags stand both after the expression and in ${optionsKey}. Keep them in one place.`,
      );
    }
  }
}

/** The JSON object of an object expression. Field names that stand twice, and `__proto__`, are refused. */
export function convertObject(
  node: ObjectExpression,
  where: Where,
  reader: Reader,
  convert: Convert,
): JsonObject {
  const object: JsonObject = {};
  const flags: Flags[] = [];
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      refuseCode(property, reader);
      continue;
    }
    const key = keyOf(property, object, reader);
    if (key === null) continue;
    const field = key.startsWith('$') ? where.field : key;
    const optionsKey = isRegex(property.value) ? optionsOf(key, where) : undefined;
    // Beside $options the pattern stands as a text, so that it is no longer a condition of its own.
    const at: Where = { field, key: optionsKey === undefined ? key : null, list: null };
    const value = convert(property.value, at, reader);
    if (optionsKey !== undefined && isObject(value)) {
      object[key] = value['$regex'] ?? null;
      if (value['$options'] !== undefined) flags.push({ property, optionsKey, value: value['$options'] });
    } else object[key] = value;
  }
  setFlags(object, flags, reader);
  return object;
}
