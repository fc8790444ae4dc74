import * as z from 'zod';
import { eventIterator } from '@orpc/contract';
import { call } from './call.ts';
import { liveEvent, liveRequest } from '../tabs/live.ts';
import {
  aggregateRequest,
  readRequest,
  countRequest,
  describedRequest,
  findRequest,
  pageRequest,
  pipelineRequest,
  recordPage,
  recordTarget,
} from '../query/query.ts';

/** Questions for records. */
export const queryCalls = {
  find: call.input(findRequest).output(recordPage),
  /**
   * A page of all matches, `skip` records from the start: a find whose sort gets `_id` as the tiebreaker, so
   * pages neither overlap nor leave gaps (specification, section 4.1, paging rules).
   */
  page: call.input(pageRequest).output(recordPage),
  /** The service's clock, which is that of `now` in queries; it may send a request for the dataset's definition. */
  now: call.input(recordTarget).output(z.object({ ms: z.int() })),
  count: call.input(countRequest).output(z.object({ count: z.int(), ms: z.number() })),
  aggregate: call.input(aggregateRequest).output(recordPage),
  pipeline: call.input(pipelineRequest).output(recordPage),
  /** Follows a dataset: its newest records, then later ones, until the reader disconnects. */
  live: call.input(liveRequest).output(eventIterator(liveEvent)),
  /** The HTTP request of a read, and copies of it for other tools; nothing is sent. */
  describe: call.input(readRequest).output(describedRequest),
};
