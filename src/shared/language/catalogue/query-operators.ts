import { catalogueOf } from './entry.ts';

export const conditionOperators = catalogueOf([
  ['$gte', 'At least this value.', '|'],
  ['$lt', 'Less than this value.', '|'],
  ['$gt', 'More than this value.', '|'],
  ['$lte', 'At most this value.', '|'],
  ['$in', 'One of these values.', '[|]'],
  ['$eq', 'Exactly this value.', '|'],
  ['$ne', 'Any other value, or no value.', '|'],
  ['$nin', 'None of these values.', '[|]'],
  ['$exists', 'Whether the record has the field, null included.', 'true|'],
  [
    '$regex',
    'Text that a regular expression matches. Slow where no other condition narrows the records.',
    '"|"',
  ],
  [
    '$options',
    'Flags of $regex: i ignores case, m matches at lines, s lets the dot match line ends.',
    '"i|"',
  ],
  ['$not', 'Negates the condition. Records without the field match.', '{ | }'],
  ['$type', 'The type of the value, such as "number" or "string".', '"|"'],
  ['$elemMatch', 'A list with an element that matches all of these conditions.', '{ | }'],
  ['$size', 'A list of this many elements.', '|'],
  ['$all', 'A list that contains all of these values.', '[|]'],
  ['$mod', 'A number with this remainder: [divisor, remainder].', '[|]'],
  ['$bitsAllSet', 'All of these bits are 1.', '[|]'],
  ['$bitsAllClear', 'All of these bits are 0.', '[|]'],
  ['$bitsAnySet', 'One of these bits is 1.', '[|]'],
  ['$bitsAnyClear', 'One of these bits is 0.', '[|]'],
  ['$geoWithin', 'A location within a shape.', '{ | }'],
  ['$geoIntersects', 'A shape that intersects this one.', '{ | }'],
  ['$near', 'Locations by distance, nearest first.', '{ | }'],
  ['$nearSphere', 'Locations by distance on a sphere, nearest first.', '{ | }'],
]);

export const queryOperators = catalogueOf([
  ['$and', 'All of these queries match.', '[{ | }]'],
  ['$or', 'At least one of these queries matches. Narrow each of them.', '[{ | }]'],
  ['$nor', 'None of these queries matches.', '[{ | }]'],
  ['$expr', 'A condition that compares fields of the record.', '{ | }'],
  ['$comment', 'A comment for the service’s log.', '"|"'],
  ['$text', 'A search in a text index.', '{ $search: "|" }'],
  ['$jsonSchema', 'Records that fit a JSON Schema.', '{ | }'],
  ['$sampleRate', 'Random sample with this probability, from 0 to 1.', '|'],
]);

/** Whether a name compares a field. */
export const isConditionOperator = (name: string): boolean => conditionOperators.has(name);
