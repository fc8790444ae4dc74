import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { isObject, parseJson } from '../../shared/json.ts';
import { Problem, invalid } from '../problem.ts';

/** The JSON of a body. @throws Problem 400 if it isn't JSON (specification, section 7) */
export function parseBody(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    throw new Problem(400, 'the body is not valid JSON');
  }
}

/** The object in a parameter with strict JSON. @throws Problem 422 if it is missing or not a JSON object */
export function objectParameter(name: string, text: string | undefined): JsonObject {
  const value = jsonParameter(name, text);
  if (!isObject(value)) throw invalid(`${name} must be a JSON object`);
  return value;
}

/** The JSON in a parameter. @throws Problem 422 if it is missing or invalid */
export function jsonParameter(name: string, text: string | undefined): JsonValue {
  if (text === undefined) throw invalid(`${name} is required`);
  try {
    return parseJson(text);
  } catch {
    throw invalid(`${name} is not valid JSON`);
  }
}
