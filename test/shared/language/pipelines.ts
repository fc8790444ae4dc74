/**
 * Typical pipelines with parameters, and the request: wells 5001 and 5002, company 7, now is
 * 2026-01-31T12:00:00Z, the zone America/Chicago, and 1200 is the value of `depth`.
 */
export const goodPipelines: readonly (readonly [typed: string, sent: string])[] = [
  ['[{$match: {}}]', '[{"$match":{}}]'],
  ['[{$match: {asset_id: {{wells}}}},]', '[{"$match":{"asset_id":{"$in":[5001,5002]}}}]'],
  ['[{$match: {asset_id: {$in: [4, {{wells}}]}}}]', '[{"$match":{"asset_id":{"$in":[4,5001,5002]}}}]'],
  ['[{$match: {company_id: {{company}}}}]', '[{"$match":{"company_id":7}}]'],
  [
    '[{$match: {timestamp: {$gte: {{now-24h}}, $lt: {{now}}}}}]',
    '[{"$match":{"timestamp":{"$gte":1769774400000,"$lt":1769860800000}}}]',
  ],
  [
    '[{$match: {timestamp: {$gte: {{today@America/Chicago}}}}}]',
    '[{"$match":{"timestamp":{"$gte":1769839200000}}}]',
  ],
  ['[{$match: {timestamp: {$gte: {{today@UTC}}}}}]', '[{"$match":{"timestamp":{"$gte":1769817600000}}}]'],
  ['[{$match: {datetime: {$lt: {{now}}}}}]', '[{"$match":{"datetime":{"$lt":"2026-01-31T12:00:00.000Z"}}}]'],
  [
    '[{$match: {measured_depth: {$gte: {{ask:depth:number}}}}}]',
    '[{"$match":{"measured_depth":{"$gte":1200}}}]',
  ],
  ['[{$limit: {{ask:depth}}}]', '[{"$limit":1200}]'],
  [
    "[ // by state\n  {$group: {_id: '$data.state', n: {$sum: 1},},},\n]",
    '[{"$group":{"_id":"$data.state","n":{"$sum":1}}}]',
  ],
  ['[{$sort: {timestamp: -1}}, /* newest */ {$limit: 5}]', '[{"$sort":{"timestamp":-1}},{"$limit":5}]'],
  ['[{$skip: NumberLong("10")}]', '[{"$skip":10}]'],
  ['[{$match: {"data.state": /^Rot/i}}]', '[{"$match":{"data.state":{"$regex":"^Rot","$options":"i"}}}]'],
  [
    '[{$match: {timestamp: {$gte: ISODate("2026-01-01")}}}]',
    '[{"$match":{"timestamp":{"$gte":1767225600000}}}]',
  ],
  [
    '[{$project: {_id: 0, x: {$multiply: ["$data.rop", 2.50]}}}]',
    '[{"$project":{"_id":0,"x":{"$multiply":["$data.rop",2.5]}}}]',
  ],
  [
    '[{$facet: {a: [{$count: "n"}], b: [{$limit: 1}]}}]',
    '[{"$facet":{"a":[{"$count":"n"}],"b":[{"$limit":1}]}}]',
  ],
  [
    '[{$addFields: {near: {$in: ["$asset_id", {{wells}}]}}}]',
    '[{"$addFields":{"near":{"$in":["$asset_id",[5001,5002]]}}}]',
  ],
  ['[{$unwind: "$data.list"}, {$count: "n"}]', '[{"$unwind":"$data.list"},{"$count":"n"}]'],
  [
    '[{$match: {a: 9007199254740993}}, {$match: {$expr: {$gt: ["$a", "$b"]}}}]',
    '[{"$match":{"a":9007199254740993}},{"$match":{"$expr":{"$gt":["$a","$b"]}}}]',
  ],
];

/** Pipelines that are not sent: the position of the first error, and its message. */
export const badPipelines: readonly (readonly [typed: string, at: string, says: string])[] = [
  ['[]', '1:1', 'at least one stage'],
  ['{$match: {}}', '1:1', 'list of stages'],
  ['[{}]', '1:2', 'This stage is empty'],
  ['[5]', '1:2', 'A stage must be an object, such as { $match: { } }'],
  ['[{$match: {}, $limit: 1}]', '1:2', 'A stage must have one operator, but this has 2'],
  ['[{$match: {}},\n {$gruop: {}}]', '2:3', 'Did you mean $group?'],
  ['[{$out: "x"}]', '1:2', '$out writes'],
  ['[{$match: {}}, {$merge: {into: "x"}}]', '1:16', '$merge writes'],
  ['[{$facet: {a: [{$out: "x"}]}}]', '1:16', '$out writes'],
  ['[{$limit: 0}]', '1:11', 'whole number of 1 or more'],
  ['[{$limit: 2.5}]', '1:11', 'whole number of 1 or more'],
  ['[{$skip: -1}]', '1:10', 'whole number of 0 or more'],
  ['[{$sort: {a: 2}}]', '1:14', '1'],
  ['[{$sort: {a: "desc"}}]', '1:14', '-1'],
  ['[{$match: {$where: "1"}}]', '1:12', '$where isn’t supported'],
  ['[{$match: {$or: [{$where: "1"}]}}]', '1:19', '$where isn’t supported'],
  ['[{$match: {a: {{nwo}}}}]', '1:15', '{{nwo}} isn’t a parameter'],
  ['[{$match: {a: "{{wells}}"}}]', '1:16', '{{wells}} is inside quotes, so it isn’t replaced'],
  ['[{$match: {a: }}]', '1:15', ''],
  ['[{$match: {a.b: 1}}]', '1:12', 'quotes'],
];
