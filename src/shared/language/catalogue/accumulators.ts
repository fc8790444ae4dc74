import { catalogueOf } from './entry.ts';

/** What gathers values of a group. */
export const accumulators = catalogueOf([
  ['$avg', 'The mean; what is no number is left out.', '"$|"'],
  ['$max', 'The greatest value.', '"$|"'],
  ['$min', 'The least value.', '"$|"'],
  ['$sum', 'The sum; $sum: 1 counts the records.', '1|'],
  ['$count', 'How many records there are.', '{}|'],
  ['$first', 'The value of the first record; sort before.', '"$|"'],
  ['$last', 'The value of the last record; sort before.', '"$|"'],
  ['$stdDevPop', 'The standard deviation of all values.', '"$|"'],
  ['$stdDevSamp', 'The standard deviation, taken from a sample.', '"$|"'],
  ['$push', 'A list of all values, in order.', '"$|"'],
  ['$addToSet', 'A list of the distinct values.', '"$|"'],
  ['$median', 'The middle value.', '{ input: "$|", method: "approximate" }'],
  [
    '$percentile',
    'Values below which these shares lie.',
    '{ input: "$|", p: [0.5, 0.95], method: "approximate" }',
  ],
  ['$firstN', 'The first so many values.', '{ input: "$|", n: 5 }'],
  ['$lastN', 'The last so many values.', '{ input: "$|", n: 5 }'],
  ['$maxN', 'The greatest so many values.', '{ input: "$|", n: 5 }'],
  ['$minN', 'The least so many values.', '{ input: "$|", n: 5 }'],
  ['$top', 'A value of the first record in an order.', '{ sortBy: { |: -1 }, output: "$" }'],
  ['$bottom', 'A value of the last record in an order.', '{ sortBy: { |: -1 }, output: "$" }'],
  ['$topN', 'Values of the first so many records in an order.', '{ n: 5, sortBy: { |: -1 }, output: "$" }'],
  ['$bottomN', 'Values of the last so many records in an order.', '{ n: 5, sortBy: { |: -1 }, output: "$" }'],
  ['$mergeObjects', 'One object made of several; later values win.', '"$|"'],
  ['$accumulator', 'Code of one’s own; services refuse it.', '{ | }'],
  ['$concatArrays', 'One list made of several.', '"$|"'],
  ['$setUnion', 'The distinct elements of several lists.', '"$|"'],
]);

/** What else works a value out over a window of records. */
export const windowOperators = catalogueOf([
  ['$derivative', 'How fast a value changes.', '{ input: "$|", unit: "hour" }'],
  ['$integral', 'The area under a value.', '{ input: "$|", unit: "hour" }'],
  ['$shift', 'The value of a neighbouring record.', '{ output: "$|", by: -1 }'],
  ['$expMovingAvg', 'A moving average in which later values weigh more.', '{ input: "$|", N: 10 }'],
  ['$linearFill', 'Fills null in on a line between neighbours.', '"$|"'],
  ['$locf', 'Fills null in with the last value.', '"$|"'],
  ['$rank', 'The place in the order, with gaps after equals.', '{}|'],
  ['$denseRank', 'The place in the order, without gaps.', '{}|'],
  ['$documentNumber', 'The number of the record.', '{}|'],
  ['$covariancePop', 'The covariance of all values.', '["$|", "$"]'],
  ['$covarianceSamp', 'The covariance, taken from a sample.', '["$|", "$"]'],
  ['$minMaxScaler', 'The value, scaled between two bounds.', '{ input: "$|" }'],
]);
