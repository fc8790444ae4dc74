import { catalogueOf } from './entry.ts';

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
  '$group',
  '$project',
  '$bucket',
  '$bucketAuto',
  '$count',
  '$sortByCount',
  '$replaceRoot',
  '$replaceWith',
  '$facet',
  '$documents',
  '$collStats',
  '$indexStats',
  '$searchMeta',
]);
