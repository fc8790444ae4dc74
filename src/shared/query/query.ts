import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import { datasetAddress } from '../datasets/datasets.ts';
import { assetId } from '../wells/wells.ts';
import { fieldPath, relaxedJson } from './question.ts';

const limitRange = 'Enter a number from 1 to 10,000.';
const limit = z.int().min(1, limitRange).max(10_000, limitRange);
const skip = z.int().min(0, 'Enter 0 or a larger number.');
/** The address of the service that the records so far are from; absent: there are none. */
const dataUrl = z.string().optional();
/** The fields of every dataset request. */
export const recordTarget = datasetAddress.extend({
  connection: connectionId,
  /** Timeout of the response, in milliseconds; default 60 s. */
  timeoutMs: z.int().min(1000).max(3_600_000).optional(),
});

export type FindTarget = Readonly<Pick<z.infer<typeof recordTarget>, 'connection' | 'provider' | 'dataset'>>;

/** Find (specification, section 4.1). Empty `query` or `sort` means `{}`. */
export const findRequest = recordTarget.extend({
  query: relaxedJson.default('{}'),
  sort: relaxedJson.default('{}'),
  limit,
  skip: skip.default(0),
  fields: z.array(fieldPath).default([]),
  includeCount: z.boolean().default(false),
  dataUrl,
});
export type FindRequest = z.infer<typeof findRequest>;

/** A page of a find: one of many, read one after the other while the dataset may grow. */
export const pageRequest = findRequest.extend({
  /** Excludes values above the highest one at the start, of the sort field. */
  upTo: z.object({ field: z.string().min(1), value: z.number() }).optional(),
});
export type PageRequest = z.infer<typeof pageRequest>;

export const countRequest = recordTarget.extend({ query: relaxedJson.default('{}') });
export type CountRequest = z.infer<typeof countRequest>;

export const aggregateRequest = recordTarget.extend({
  match: relaxedJson.default('{}'),
  sort: relaxedJson.default('{}'),
  /** Applied before grouping; absent: all matching records are grouped. */
  limit: limit.optional(),
  skip: skip.default(0),
  group: relaxedJson.optional(),
  project: relaxedJson.optional(),
});
export type AggregateRequest = z.infer<typeof aggregateRequest>;

export const pipelineRequest = recordTarget.extend({ stages: relaxedJson, dataUrl });
export type PipelineRequest = z.infer<typeof pipelineRequest>;

/** A page. The records cross as unchanged bytes and are parsed where they are needed. */
export const recordPage = z.object({
  /** JSON of an array of records in UTF-8; integers beyond 2^53 keep all digits. */
  records: z.instanceof(Uint8Array<ArrayBuffer>),
  count: z.int(),
  /** The `Total` header, if requested. */
  total: z.int().nullable(),
  /** From the request to the complete response, in milliseconds. */
  ms: z.number(),
  /** What the records are computed from, such as “at most 1,000 records”, if that is only a part; absent: all that match. */
  computedFrom: z.string().optional(),
  /** Of a find: the address of its service, for more of its records. */
  dataUrl,
});
export type RecordPage = z.infer<typeof recordPage>;

/** A query as the user typed it, with the values of its parameters, for copies that keep them. */
const typedQuery = z.object({
  texts: z.object({
    query: relaxedJson.optional(),
    match: relaxedJson.optional(),
    sort: relaxedJson.optional(),
    group: relaxedJson.optional(),
    project: relaxedJson.optional(),
    stages: relaxedJson.optional(),
  }),
  wells: z.array(assetId).max(10_000),
  company: z.int().nullable(),
  answers: z.record(z.string(), z.string()),
  /** Unix milliseconds. */
  now: z.int(),
  /** An IANA name, `UTC`, or an offset. */
  zone: z.string().max(100),
});
export type TypedQuery = z.infer<typeof typedQuery>;

const readOfFind = z.object({ kind: z.literal('find'), request: findRequest });
const readOfAggregate = z.object({ kind: z.literal('aggregate'), request: aggregateRequest });
const readOfPipeline = z.object({ kind: z.literal('pipeline'), request: pipelineRequest });
export const serviceRequest = z.discriminatedUnion('kind', [readOfFind, readOfAggregate, readOfPipeline]);
export type ServiceRequest = z.infer<typeof serviceRequest>;

/** A SQL statement over local tables, of a tab of this dataset. */
const sqlRequest = recordTarget.extend({ sql: z.string().max(1_000_000), limit: z.int().min(1) });

export const recordsRequest = z.discriminatedUnion('kind', [
  readOfFind,
  readOfAggregate,
  readOfPipeline,
  z.object({ kind: z.literal('sql'), request: sqlRequest }),
]);
export type RecordsRequest = z.infer<typeof recordsRequest>;

const typed = { typed: typedQuery.optional() };
/** A read whose HTTP request is described. */
export const readRequest = z.discriminatedUnion('kind', [
  readOfFind.extend(typed),
  readOfAggregate.extend(typed),
  readOfPipeline.extend(typed),
  z.object({ kind: z.literal('count'), request: countRequest, ...typed }),
]);
export type ReadRequest = z.infer<typeof readRequest>;

/** The languages in which a request can be copied, to be sent from elsewhere. */
export const copyLanguages = ['curl', 'powershell', 'python', 'module', 'typescript', 'command'] as const;
export type CopyLanguage = (typeof copyLanguages)[number];

/** An HTTP request with a variable in place of the credentials. */
export const describedRequest = z.object({
  method: z.enum(['GET', 'POST']),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
  /** The same request as something to run; the key or token is read from a variable. */
  copies: z.record(z.enum(copyLanguages), z.string()),
});
export type DescribedRequest = z.infer<typeof describedRequest>;
