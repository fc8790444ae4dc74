/** A word of the query language: what it does, and how its value is usually written. */
export interface CatalogueEntry {
  readonly name: string;
  readonly says: string;
  /** Inserted after the name; `|` marks the caret. */
  readonly body: string;
}

type Row = readonly [name: string, says: string, body: string];

/** A catalogue by name; an inherited name is not in it. */
function catalogueOf(rows: readonly Row[]): ReadonlyMap<string, CatalogueEntry> {
  return new Map(rows.map(([name, description, body]) => [name, { name, says: description, body }]));
}

/** The stages of pipelines. Which ones a service allows isn't known in advance. */
export const stages = catalogueOf([
  ['$match', 'Keeps the records that match a query. As the first stage it uses the indexes.', '{ | }'],
  [
    '$sort',
    'Sorts by fields: 1 ascending, -1 descending. Put it before stages that reshape records.',
    '{ |: -1 }',
  ],
  ['$limit', 'Passes only the first n records.', '100|'],
  ['$group', 'One result per distinct _id, with accumulated values.', '{ _id: "$|" }'],
  ['$project', 'Selects, renames, or computes fields: 1 keeps a field, 0 drops it.', '{ |: 1 }'],
  ['$addFields', 'Adds computed fields and keeps the others.', '{ | }'],
  ['$set', 'The same as $addFields.', '{ | }'],
  ['$unset', 'Removes fields.', '"|"'],
  ['$unwind', 'One record per element of a list.', '"$|"'],
  ['$skip', 'Skips the first n records.', '|'],
  ['$count', 'Counts the records under this name.', '"count|"'],
  ['$sortByCount', 'Distinct values with counts, most frequent first.', '"$|"'],
  ['$bucket', 'Groups by given ranges.', '{ groupBy: "$|", boundaries: [0, 100], default: "other" }'],
  ['$bucketAuto', 'Groups into n ranges of similar size.', '{ groupBy: "$|", buckets: 10 }'],
  ['$facet', 'Several pipelines over the same records.', '{ |: [] }'],
  ['$sample', 'n random records.', '{ size: 100| }'],
  ['$replaceRoot', 'Replaces the record with a part of it.', '{ newRoot: "$|" }'],
  ['$replaceWith', 'The same as $replaceRoot, without newRoot.', '"$|"'],
  ['$redact', 'Removes parts of records by a condition.', '{ | }'],
  [
    '$setWindowFields',
    'Computes values over neighboring records, such as a moving average.',
    '{ partitionBy: "$asset_id", sortBy: { timestamp: 1 }, output: { | } }',
  ],
  [
    '$fill',
    'Fills null and missing fields.',
    '{ sortBy: { timestamp: 1 }, output: { |: { method: "linear" } } }',
  ],
  [
    '$densify',
    'Adds records where a sequence has gaps.',
    '{ field: "|", range: { step: 1, bounds: "full" } }',
  ],
  [
    '$lookup',
    'Joins records of another collection.',
    '{ from: "|", localField: "", foreignField: "", as: "" }',
  ],
  ['$graphLookup', 'Follows links from record to record.', '{ from: "|" }'],
  ['$unionWith', 'Adds the records of another collection.', '"|"'],
  ['$geoNear', 'Sorts by distance from a location. Must be first.', '{ | }'],
  ['$search', 'Full-text search. Must be first.', '{ | }'],
  ['$searchMeta', 'Counts of a search.', '{ | }'],
  ['$vectorSearch', 'Vector search. Must be first.', '{ | }'],
  ['$rankFusion', 'Joins several searches by rank.', '{ | }'],
  ['$scoreFusion', 'Joins several searches by score.', '{ | }'],
  ['$score', 'Computes a score.', '{ | }'],
  ['$documents', 'Records listed here.', '[|]'],
  ['$collStats', 'Collection statistics.', '{ | }'],
  ['$indexStats', 'How often each index is used.', '{}|'],
  ['$planCacheStats', 'Cached query plans.', '{}|'],
  ['$changeStream', 'Change stream.', '{ | }'],
  ['$currentOp', 'Current operations.', '{ | }'],
  ['$listSessions', 'Sessions of the database.', '{}|'],
  ['$listLocalSessions', 'Sessions of this member of the database.', '{}|'],
  ['$listSampledQueries', 'Queries that the database sampled.', '{}|'],
  ['$listSearchIndexes', 'Search indexes.', '{}|'],
  ['$shardedDataDistribution', 'Distribution of records.', '{}|'],
]);

/** Stages that store their results; an ordinary read may not have them (specification, section 4.1). */
export const writingStages: ReadonlySet<string> = new Set(['$merge', '$out']);

/** Stages whose results are computed from several records. */
export const combiningStages: ReadonlySet<string> = new Set([
  '$group',
  '$bucket',
  '$bucketAuto',
  '$count',
  '$sortByCount',
  '$facet',
]);

/** Stages whose results no longer have the dataset's fields. */
export const reshapingStages: ReadonlySet<string> = new Set([
  ...combiningStages,
  '$project',
  '$replaceRoot',
  '$replaceWith',
  '$documents',
  '$collStats',
  '$indexStats',
  '$searchMeta',
]);

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

/** The operators that compute a value of a group. */
export const accumulators = catalogueOf([
  ['$avg', 'Mean. Ignores values that aren’t numbers.', '"$|"'],
  ['$max', 'Maximum.', '"$|"'],
  ['$min', 'Minimum.', '"$|"'],
  ['$sum', 'Sum. $sum: 1 counts the records.', '1|'],
  ['$count', 'Number of records.', '{}|'],
  ['$first', 'Value of the first record. Sort first.', '"$|"'],
  ['$last', 'Value of the last record. Sort first.', '"$|"'],
  ['$stdDevPop', 'Population standard deviation.', '"$|"'],
  ['$stdDevSamp', 'Sample standard deviation.', '"$|"'],
  ['$push', 'A list of all values, in order.', '"$|"'],
  ['$addToSet', 'A list of the distinct values.', '"$|"'],
  ['$median', 'Median.', '{ input: "$|", method: "approximate" }'],
  ['$percentile', 'Percentiles.', '{ input: "$|", p: [0.5, 0.95], method: "approximate" }'],
  ['$firstN', 'First n values.', '{ input: "$|", n: 5 }'],
  ['$lastN', 'Last n values.', '{ input: "$|", n: 5 }'],
  ['$maxN', 'Largest n values.', '{ input: "$|", n: 5 }'],
  ['$minN', 'Smallest n values.', '{ input: "$|", n: 5 }'],
  ['$top', 'Value of the first record in a sort order.', '{ sortBy: { |: -1 }, output: "$" }'],
  ['$bottom', 'Value of the last record in a sort order.', '{ sortBy: { |: -1 }, output: "$" }'],
  ['$topN', 'Values of the first n records in a sort order.', '{ n: 5, sortBy: { |: -1 }, output: "$" }'],
  ['$bottomN', 'Values of the last n records in a sort order.', '{ n: 5, sortBy: { |: -1 }, output: "$" }'],
  ['$mergeObjects', 'Merged object. Later values win.', '"$|"'],
  ['$accumulator', 'Custom code. Services reject it.', '{ | }'],
  ['$concatArrays', 'Concatenated list.', '"$|"'],
  ['$setUnion', 'The distinct elements of several lists.', '"$|"'],
]);

/** The further operators of windows, which compute a value from neighboring records. */
export const windowOperators = catalogueOf([
  ['$derivative', 'Rate of change.', '{ input: "$|", unit: "hour" }'],
  ['$integral', 'Area under the curve.', '{ input: "$|", unit: "hour" }'],
  ['$shift', 'Value of a neighboring record.', '{ output: "$|", by: -1 }'],
  ['$expMovingAvg', 'Exponential moving average.', '{ input: "$|", N: 10 }'],
  ['$linearFill', 'Fills null by linear interpolation.', '"$|"'],
  ['$locf', 'Fills null with the last value.', '"$|"'],
  ['$rank', 'Rank with gaps after ties.', '{}|'],
  ['$denseRank', 'Rank without gaps.', '{}|'],
  ['$documentNumber', 'The number of the record.', '{}|'],
  ['$covariancePop', 'Population covariance.', '["$|", "$"]'],
  ['$covarianceSamp', 'Sample covariance.', '["$|", "$"]'],
  ['$minMaxScaler', 'Value scaled between two bounds.', '{ input: "$|" }'],
]);

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
  ['$cmp', '-1, 0, or 1 if the first is less, equal, or greater.', '["$|", 0]'],
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
