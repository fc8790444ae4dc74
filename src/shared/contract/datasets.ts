import * as z from 'zod';
import { eventIterator } from '@orpc/contract';
import {
  dataset,
  datasetExtent,
  datasetFields,
  datasetQuery,
  datasetsQuery,
  extentQuery,
  fieldsQuery,
  holding,
  holdingsQuery,
} from '../datasets/datasets.ts';
import { call } from './call.ts';

/** Datasets and their fields, extents, and holdings. */
export const datasetsCalls = {
  list: call.input(datasetsQuery).output(z.array(dataset)),
  /** `maxTries`: for less important reads. */
  get: call.input(datasetQuery.extend({ maxTries: z.int().min(1).max(10).optional() })).output(dataset),
  /** The fields by the dataset's type, its definition, and a few of its records: newest and oldest, of these wells. */
  fields: call.input(fieldsQuery).output(datasetFields),
  /** How many records these wells have in a dataset, and from when to when, or from which depth to which. */
  extent: call.input(extentQuery).output(datasetExtent),
  /** Which datasets have records of these wells: one event for each, with a few concurrent checks. */
  holdings: call.input(holdingsQuery).output(eventIterator(holding)),
};
