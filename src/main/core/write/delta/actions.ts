import * as z from 'zod';

// The actions of a log of Delta Lake, by its protocol (PROTOCOL.md of delta-io/delta), versions 1 for readers and 2 for
// writers: every reader of Delta has them.

const texts = z.record(z.string(), z.string().nullable());
const optional = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? undefined);

const protocol = z.object({
  minReaderVersion: z.int(),
  minWriterVersion: z.int(),
  /** From reader version 3 and writer version 7 on. */
  readerFeatures: optional(z.array(z.string())),
  writerFeatures: optional(z.array(z.string())),
});
const metaData = z.object({
  id: z.string(),
  name: optional(z.string()),
  description: optional(z.string()),
  format: z.object({ provider: z.string(), options: optional(texts) }),
  /** JSON of the schema. */
  schemaString: z.string(),
  partitionColumns: z.array(z.string()),
  configuration: optional(texts),
  createdTime: optional(z.int()),
});
const add = z.object({
  /** Relative to the table, encoded as in a URI. */
  path: z.string(),
  partitionValues: texts,
  size: z.int(),
  /** In milliseconds. */
  modificationTime: z.int(),
  dataChange: z.boolean(),
  /** JSON of {@link FileStats}. */
  stats: optional(z.string()),
  tags: optional(texts),
});
const remove = z.object({
  path: z.string(),
  /** In milliseconds. */
  deletionTimestamp: optional(z.int()),
  dataChange: z.boolean(),
  extendedFileMetadata: optional(z.boolean()),
  partitionValues: optional(texts),
  size: optional(z.int()),
});
/** The last version of a writer's own numbering that the table has. */
const txn = z.object({ appId: z.string(), version: z.int(), lastUpdated: optional(z.int()) });

/** What Wellbench says of a run in its commits; readers of Delta ignore it. */
const runInfo = z.object({
  rows: z.int(),
  bytes: z.int(),
  files: z.int(),
  /** The time of the last record, in milliseconds; null: records have no time. */
  last: z.number().nullable(),
  /** Whether the table had the records of the service. */
  verified: z.boolean(),
  /** What is lacking. */
  warnings: z.array(z.string()),
});
export type RunInfo = z.infer<typeof runInfo>;

/** The line of a commit about the run that made it; absent in those of other programs. */
export const runLine = z.object({ commitInfo: z.object({ timestamp: z.number(), wellbench: runInfo }) });

/** A row of a checkpoint, or a line of a commit. Those that aren't known concern no reader. */
export const actionRow = z.object({
  protocol: optional(protocol),
  metaData: optional(metaData),
  add: optional(add),
  remove: optional(remove),
  txn: optional(txn),
});
export type ActionRow = z.infer<typeof actionRow>;

export type Protocol = z.infer<typeof protocol>;
export type MetaData = z.infer<typeof metaData>;
export type AddFile = z.infer<typeof add>;
export type RemoveFile = z.infer<typeof remove>;
export type Transaction = z.infer<typeof txn>;

/** What a commit was, for the table's history. */
export interface CommitInfo {
  readonly timestamp: number;
  readonly operation: string;
  readonly operationParameters: Readonly<Record<string, string>>;
  readonly engineInfo: string;
  readonly wellbench?: RunInfo;
}

/** A line of a commit. */
export type Action =
  | { readonly protocol: Protocol }
  | { readonly metaData: MetaData }
  | { readonly add: AddFile }
  | { readonly remove: RemoveFile }
  | { readonly txn: Transaction }
  | { readonly commitInfo: CommitInfo };

/** The versions of tables that Wellbench makes. */
export const ownProtocol: Protocol = {
  minReaderVersion: 1,
  minWriterVersion: 2,
  readerFeatures: undefined,
  writerFeatures: undefined,
};

/** The path of a file as it is in the log. */
export const encodedPath = (path: string): string =>
  encodeURI(path).replace(/[#?]/g, (char) => encodeURIComponent(char));

/** The path of a file, from the log. */
export const decodedPath = (path: string): string => decodeURIComponent(path);

const ownWriter = 'wellbench-';

/** The id of a job as a writer of tables. */
export const writerOf = (job: string): string => `${ownWriter}${job}`;

/** Whether a writer is a job of Wellbench. */
export const isOwnWriter = (appId: string): boolean => appId.startsWith(ownWriter);
