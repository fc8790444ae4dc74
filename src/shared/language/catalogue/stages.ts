import { catalogueOf } from './entry.ts';

/** The stages that a pipeline can have. Which of them a service allows is not known beforehand. */
export const stages = catalogueOf([
  ['$match', 'Keeps the records that match a query. As the first stage it uses the indexes.', '{ | }'],
  [
    '$sort',
    'Orders by fields: 1 ascending, -1 descending. Put it before stages that reshape records.',
    '{ |: -1 }',
  ],
  ['$limit', 'Lets only the first so many through.', '100|'],
  ['$group', 'One result for each distinct _id, with values gathered by accumulators.', '{ _id: "$|" }'],
  [
    '$project',
    'Chooses, renames or works out the fields that go on: 1 keeps a field, 0 drops it.',
    '{ |: 1 }',
  ],
  ['$addFields', 'Adds fields that are worked out, and keeps the others.', '{ | }'],
  ['$set', 'The same as $addFields.', '{ | }'],
  ['$unset', 'Takes fields out.', '"|"'],
  ['$unwind', 'One record for each element of a list.', '"$|"'],
  ['$skip', 'Leaves out the first so many.', '|'],
  ['$count', 'How many records arrive, under this name.', '"count|"'],
  ['$sortByCount', 'Each distinct value and how often it comes, the most frequent first.', '"$|"'],
  [
    '$bucket',
    'Groups by ranges that are given.',
    '{ groupBy: "$|", boundaries: [0, 100], default: "other" }',
  ],
  ['$bucketAuto', 'Groups into so many ranges of like size.', '{ groupBy: "$|", buckets: 10 }'],
  ['$facet', 'Several pipelines over the same records.', '{ |: [] }'],
  ['$sample', 'So many records, by chance.', '{ size: 100| }'],
  ['$replaceRoot', 'Makes a part of the record the whole of it.', '{ newRoot: "$|" }'],
  ['$replaceWith', 'The same as $replaceRoot, without newRoot.', '"$|"'],
  ['$redact', 'Leaves out parts of records by a condition.', '{ | }'],
  [
    '$setWindowFields',
    'Works values out over neighbouring records, such as a moving average.',
    '{ partitionBy: "$asset_id", sortBy: { timestamp: 1 }, output: { | } }',
  ],
  [
    '$fill',
    'Fills null and absent fields in.',
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
  ['$geoNear', 'Orders by the distance from a place; must come first.', '{ | }'],
  ['$search', 'A search by a search index; must come first.', '{ | }'],
  ['$searchMeta', 'What a search finds, in numbers.', '{ | }'],
  ['$vectorSearch', 'A search by likeness; must come first.', '{ | }'],
  ['$rankFusion', 'Joins several searches by rank.', '{ | }'],
  ['$scoreFusion', 'Joins several searches by score.', '{ | }'],
  ['$score', 'Works out a score.', '{ | }'],
  ['$documents', 'Records that are written out here.', '[|]'],
  ['$collStats', 'Figures of the collection.', '{ | }'],
  ['$indexStats', 'How often each index is used.', '{}|'],
  ['$planCacheStats', 'Plans that the database keeps.', '{}|'],
  ['$changeStream', 'Changes as they come.', '{ | }'],
  ['$currentOp', 'What the database is doing.', '{ | }'],
  ['$listSessions', 'Sessions of the database.', '{}|'],
  ['$listLocalSessions', 'Sessions of this member of the database.', '{}|'],
  ['$listSampledQueries', 'Queries that the database sampled.', '{}|'],
  ['$listSearchIndexes', 'The search indexes there are.', '{}|'],
  ['$shardedDataDistribution', 'How records are spread.', '{}|'],
]);

/** Stages that store their results; an ordinary read may not have them (specification, section 4.1). */
export const writingStages: ReadonlySet<string> = new Set(['$merge', '$out']);

/** Stages after which records no longer have the fields of the dataset. */
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
