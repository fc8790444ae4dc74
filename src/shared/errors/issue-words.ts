import type * as z from 'zod';

const kinds: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const choices = (values: readonly unknown[]): string =>
  new Intl.ListFormat('en-US', { type: 'disjunction' }).format(values.map(String));

const many = (count: unknown, one: string): string =>
  `${String(count)} ${Number(count) === 1 ? one : `${one}s`}`;

/** A bound: of a number itself, else of how many there are. */
const bound = (origin: string, words: string, of: unknown): string =>
  origin === 'number' || origin === 'int'
    ? `This must be ${words} ${String(of)}.`
    : `There must be ${words} ${many(of, origin === 'string' ? 'character' : 'item')}.`;

/**
 * The message of a validation issue without its own message.
 * @returns undefined if the schema's message is as good
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_value':
      return `This must be ${choices(issue.values)}.`;
    case 'invalid_type':
      return `This ${issue.input === undefined ? 'is missing. It ' : ''}must be ${kinds[issue.expected] ?? `of type ${issue.expected}`}.`;
    case 'too_small':
      return bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'unrecognized_keys':
      return `Unknown name ${issue.keys.map((key) => `“${key}”`).join(', ')}. Correct or remove it.`;
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
    default:
      return undefined;
  }
}
