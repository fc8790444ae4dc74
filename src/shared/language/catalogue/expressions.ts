import { accumulators, windowOperators } from './accumulators.ts';
import { catalogueOf } from './entry.ts';

/** What works a value out of others, the common ones with a sentence. */
export const expressionOperators = catalogueOf([
  ['$add', 'The sum; of a date and a number, a later date.', '["$|", 1]'],
  ['$subtract', 'The difference of two values.', '["$|", "$"]'],
  ['$multiply', 'The product.', '["$|", 2]'],
  ['$divide', 'The quotient of two values.', '["$|", 2]'],
  ['$mod', 'The remainder of a division.', '["$|", 2]'],
  ['$abs', 'The value without its sign.', '"$|"'],
  ['$round', 'Rounded to so many places.', '["$|", 1]'],
  ['$trunc', 'Cut off after so many places.', '["$|", 0]'],
  ['$floor', 'The next whole number below.', '"$|"'],
  ['$ceil', 'The next whole number above.', '"$|"'],
  ['$cond', 'One value or another, by a condition.', '{ if: { | }, then: 1, else: 0 }'],
  ['$ifNull', 'The first of these values that is not null.', '["$|", 0]'],
  [
    '$switch',
    'The value of the first case that holds.',
    '{ branches: [{ case: { | }, then: 1 }], default: 0 }',
  ],
  ['$eq', 'Whether two values are equal.', '["$|", 0]'],
  ['$ne', 'Whether two values differ.', '["$|", 0]'],
  ['$gt', 'Whether the first is greater.', '["$|", 0]'],
  ['$gte', 'Whether the first is at least the second.', '["$|", 0]'],
  ['$lt', 'Whether the first is less.', '["$|", 0]'],
  ['$lte', 'Whether the first is at most the second.', '["$|", 0]'],
  ['$cmp', '-1, 0 or 1 as the first is less, equal or greater.', '["$|", 0]'],
  ['$and', 'Whether all hold.', '[{ | }]'],
  ['$or', 'Whether one holds.', '[{ | }]'],
  ['$not', 'Whether it does not hold.', '[{ | }]'],
  ['$in', 'Whether a list holds a value.', '["$|", []]'],
  ['$concat', 'One text made of several.', '["$|", " "]'],
  ['$substrCP', 'A part of a text: [text, from, length].', '["$|", 0, 10]'],
  ['$toLower', 'The text in small letters.', '"$|"'],
  ['$toUpper', 'The text in capitals.', '"$|"'],
  ['$split', 'A text cut at a sign.', '["$|", " "]'],
  ['$trim', 'The text without blanks around.', '{ input: "$|" }'],
  ['$regexMatch', 'Whether a regular expression matches.', '{ input: "$|", regex: "" }'],
  ['$toString', 'The value as text.', '"$|"'],
  ['$toDouble', 'The value as a number.', '"$|"'],
  ['$toInt', 'The value as a whole number.', '"$|"'],
  ['$toLong', 'The value as a long whole number.', '"$|"'],
  ['$toDate', 'Unix milliseconds, or text, as a date.', '"$|"'],
  [
    '$dateTrunc',
    'A date cut down to its hour, day and so on.',
    '{ date: { $toDate: "$timestamp" }, unit: "|hour" }',
  ],
  ['$dateToString', 'A date as text.', '{ date: { $toDate: "$timestamp" }, format: "%Y-%m-%d|" }'],
  ['$dateDiff', 'How many units lie between two dates.', '{ startDate: "$|", endDate: "$", unit: "hour" }'],
  ['$size', 'How many elements a list has.', '"$|"'],
  ['$arrayElemAt', 'One element of a list; -1 is the last.', '["$|", 0]'],
  ['$filter', 'The elements that fit.', '{ input: "$|", as: "each", cond: { } }'],
  ['$map', 'Each element, made into something else.', '{ input: "$|", as: "each", in: "$$each" }'],
  ['$reduce', 'One value worked out from all elements.', '{ input: "$|", initialValue: 0, in: { } }'],
  ['$isArray', 'Whether it is a list.', '"$|"'],
  ['$type', 'The name of the value’s type.', '"$|"'],
  ['$literal', 'The value as it stands, $ included.', '"|"'],
  ['$mergeObjects', 'One object made of several; later values win.', '["$|"]'],
]);

// Known, so that they are not taken for a slip; too rare to be offered.
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

/** Every name that can stand in an expression. */
export const knownExpressions: ReadonlySet<string> = new Set([
  ...expressionOperators.keys(),
  ...rare,
  ...accumulators.keys(),
  ...windowOperators.keys(),
]);
