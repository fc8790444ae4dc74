import { catalogueOf } from './entry.ts';

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
