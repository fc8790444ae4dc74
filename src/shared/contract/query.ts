import { eventIterator } from '@orpc/contract';
import * as z from 'zod';
import { liveEvent, liveRequest } from '../tabs/live.ts';
import {
  aggregateRequest,
  askedRequest,
  countRequest,
  describedRequest,
  findRequest,
  pageRequest,
  pipelineRequest,
  recordPage,
} from '../query/query.ts';
import { call } from './call.ts';

/** Questions for records. */
export const queryCalls = {
  find: call.input(findRequest).output(recordPage),
  /**
   * One page of everything that matches, `skip` records from the beginning: a find whose sort gets `_id` as the
   * tiebreaker, so that pages neither overlap nor leave gaps (specification, 4.1, paging rules).
   */
  page: call.input(pageRequest).output(recordPage),
  count: call.input(countRequest).output(z.object({ count: z.int(), ms: z.number() })),
  aggregate: call.input(aggregateRequest).output(recordPage),
  pipeline: call.input(pipelineRequest).output(recordPage),
  /** Follows a dataset: its newest records, then those that come, until the reader goes. */
  live: call.input(liveRequest).output(eventIterator(liveEvent)),
  /** The request that a question makes, and how to send it from elsewhere; nothing is sent. */
  describe: call.input(askedRequest).output(describedRequest),
};
