import { accumulators, windowOperators } from './accumulators.ts';
import { catalogueOf } from './entry.ts';

/** The common operators that compute a value from others. */
export const expressionOperators = catalogueOf([
  ['$add', 'Sum, or a date plus milliseconds.', '["$|", 1]'],
  ['$subtract', 'Difference of two values.', '["$|", "$"]'],
  ['$multiply', 'The product.', '["$|", 2]'],
  ['$divide', 'Quotient of two values.', '["$|", 2]'],
  ['$mod', 'The remainder of a division.', '["$|", 2]'],
  ['$abs', 'Absolute value.', '"$|"'],
  ['$round', 'Rounded to n places.', '["$|", 1]'],
  ['$trunc', 'Truncated to n places.', '["$|", 0]'],
  ['$floor', 'Largest whole number not above the value.', '"$|"'],
  ['$ceil', 'Smallest whole number not below the value.', '"$|"'],
  ['$cond', 'One of two values, by a condition.', '{ if: { | }, then: 1, else: 0 }'],
  ['$ifNull', 'The first of these values that is not null.', '["$|", 0]'],
  [
    '$switch',
    'Value of the first case that is true.',
    '{ branches: [{ case: { | }, then: 1 }], default: 0 }',
  ],
  ['$eq', 'Whether two values are equal.', '["$|", 0]'],
  ['$ne', 'Whether two values differ.', '["$|", 0]'],
  ['$gt', 'Whether the first is greater.', '["$|", 0]'],
  ['$gte', 'Whether the first is at least the second.', '["$|", 0]'],
  ['$lt', 'Whether the first is less.', '["$|", 0]'],
  ['$lte', 'Whether the first is at most the second.', '["$|", 0]'],
  ['$cmp', '-1, 0 or 1 as the first is less, equal or greater.', '["$|", 0]'],
  ['$and', 'Whether all are true.', '[{ | }]'],
  ['$or', 'Whether any is true.', '[{ | }]'],
  ['$not', 'Whether it is false.', '[{ | }]'],
  ['$in', 'Whether a list contains a value.', '["$|", []]'],
  ['$concat', 'Concatenated text.', '["$|", " "]'],
  ['$substrCP', 'A part of a text: [text, from, length].', '["$|", 0, 10]'],
  ['$toLower', 'Text in lowercase.', '"$|"'],
  ['$toUpper', 'Text in uppercase.', '"$|"'],
  ['$split', 'Text split at a separator.', '["$|", " "]'],
  ['$trim', 'Text without leading and trailing spaces.', '{ input: "$|" }'],
  ['$regexMatch', 'Whether a regular expression matches.', '{ input: "$|", regex: "" }'],
  ['$toString', 'The value as text.', '"$|"'],
  ['$toDouble', 'The value as a number.', '"$|"'],
  ['$toInt', 'The value as a whole number.', '"$|"'],
  ['$toLong', 'The value as a long whole number.', '"$|"'],
  ['$toDate', 'Unix milliseconds, or text, as a date.', '"$|"'],
  [
    '$dateTrunc',
    'Date truncated to a unit such as hour or day.',
    '{ date: { $toDate: "$timestamp" }, unit: "|hour" }',
  ],
  ['$dateToString', 'A date as text.', '{ date: { $toDate: "$timestamp" }, format: "%Y-%m-%d|" }'],
  ['$dateDiff', 'Difference of two dates in a unit.', '{ startDate: "$|", endDate: "$", unit: "hour" }'],
  ['$size', 'Number of elements of a list.', '"$|"'],
  ['$arrayElemAt', 'One element of a list; -1 is the last.', '["$|", 0]'],
  ['$filter', 'Elements that match.', '{ input: "$|", as: "each", cond: { } }'],
  ['$map', 'Each element, transformed.', '{ input: "$|", as: "each", in: "$$each" }'],
  ['$reduce', 'One value computed from all elements.', '{ input: "$|", initialValue: 0, in: { } }'],
  ['$isArray', 'Whether it is a list.', '"$|"'],
  ['$type', 'The name of the value’s type.', '"$|"'],
  ['$literal', 'Literal value, $ included.', '"|"'],
  ['$mergeObjects', 'Merged object. Later values win.', '["$|"]'],
]);

// Valid, so not reported as a typo, but too rare to suggest.
const rare =
  `$acos $acosh $allElementsTrue $anyElementTrue $arrayToObject $asin $asinh $atan $atan2 $atanh $binarySize
$bitAnd $bitNot $bitOr $bitXor $bsonSize $concatArrays $convert $cos $cosh $createObjectId $currentDate $dateAdd
$dateFromParts $dateFromString $dateSubtract $dateToParts $dayOfMonth $dayOfWeek $dayOfYear $degreesToRadians
$encStrContains $encStrEndsWith $encStrNormalizedEq $encStrStartsWith $exp $first $firstN $function $getField $hash
$hexHash $hour $indexOfArray $indexOfBytes $indexOfCP $isNumber $isoDayOfWeek $isoWeek $isoWeekYear $last $lastN $let
$ln $log $log10 $ltrim $maxN $meta $millisecond $minN $minute $month $objectToArray $pow $radiansToDegrees $rand $range
$regexFind $regexFindAll $replaceAll $replaceOne $reverseArray $rtrim $sampleRate $second $setDifference $setEquals
$setField $setIntersection $setIsSubset $setUnion $sigmoid $similarityCosine $similarityDotProduct $similarityEuclidean
$sin $sinh $slice $sortArray $sqrt $strLenBytes $strLenCP $strcasecmp $substr $substrBytes $subtype $tan $tanh $toArray
$toBool $toDecimal $toHashedIndexKey $toObject $toObjectId $toUUID $tsIncrement $tsSecond $unsetField $week $year $zip
$serializeEJSON $deserializeEJSON $elemMatch`.split(/\s+/);

export const knownExpressions: ReadonlySet<string> = new Set([
  ...expressionOperators.keys(),
  ...rare,
  ...accumulators.keys(),
  ...windowOperators.keys(),
]);
