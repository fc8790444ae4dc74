import { catalogueOf } from './entry.ts';

/** What a field can be compared by. */
export const conditionOperators = catalogueOf([
  ['$gte', 'At least this value.', '|'],
  ['$lt', 'Less than this value.', '|'],
  ['$gt', 'More than this value.', '|'],
  ['$lte', 'At most this value.', '|'],
  ['$in', 'One of these values.', '[|]'],
  ['$eq', 'This very value.', '|'],
  ['$ne', 'Any other value, or none.', '|'],
  ['$nin', 'None of these values.', '[|]'],
  ['$exists', 'Whether the record has the field, null included.', 'true|'],
  [
    '$regex',
    'Text that a regular expression matches. Slow where no other condition narrows the records.',
    '"|"',
  ],
  [
    '$options',
    'Flags of $regex: i upper and lower case alike, m lines, s the point matches line ends.',
    '"i|"',
  ],
  ['$not', 'The contrary of the condition; records without the field match.', '{ | }'],
  ['$type', 'The type of the value, such as "number" or "string".', '"|"'],
  ['$elemMatch', 'A list in which one element fits all of these conditions.', '{ | }'],
  ['$size', 'A list of this many elements.', '|'],
  ['$all', 'A list that holds all of these values.', '[|]'],
  ['$mod', 'A number that leaves this remainder: [divisor, remainder].', '[|]'],
  ['$bitsAllSet', 'All of these bits are 1.', '[|]'],
  ['$bitsAllClear', 'All of these bits are 0.', '[|]'],
  ['$bitsAnySet', 'One of these bits is 1.', '[|]'],
  ['$bitsAnyClear', 'One of these bits is 0.', '[|]'],
  ['$geoWithin', 'A place within a shape.', '{ | }'],
  ['$geoIntersects', 'A shape that meets this one.', '{ | }'],
  ['$near', 'Places by their distance, the nearest first.', '{ | }'],
  ['$nearSphere', 'Places by their distance on the globe, the nearest first.', '{ | }'],
]);

/** What conditions are joined by. */
export const queryOperators = catalogueOf([
  ['$and', 'All of these queries match.', '[{ | }]'],
  ['$or', 'One of these queries matches. Each should be narrowed by itself.', '[{ | }]'],
  ['$nor', 'None of these queries matches.', '[{ | }]'],
  ['$expr', 'A condition worked out from the record’s own fields.', '{ | }'],
  ['$comment', 'A remark for whoever reads the service’s log.', '"|"'],
  ['$text', 'A search in a text index.', '{ $search: "|" }'],
  ['$jsonSchema', 'Records that fit a JSON Schema.', '{ | }'],
  ['$sampleRate', 'Each record with this chance, from 0 to 1.', '|'],
]);

/** Whether a name compares a field. */
export const isConditionOperator = (name: string): boolean => conditionOperators.has(name);
