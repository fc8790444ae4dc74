import * as z from 'zod';
import { jsonOrNull } from '../../../../shared/json.ts';

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

// Features of tables

/** The versions of the protocol in which a table lists its features. */
const listed = { reader: 3, writer: 7 } as const;

const fields = z.object({
  fields: z.array(z.object({ name: z.string(), metadata: z.record(z.string(), z.unknown()).nullish() })),
});

/**
 * Features that versions before the lists allow: one of them concerns a writer only where the table uses it. By the name in a
 * list; null: Wellbench respects it.
 */
const earlier: Readonly<Record<string, { settings: RegExp; column: string | null } | null>> = {
  appendOnly: null,
  invariants: { settings: /^$/, column: 'delta.invariants' },
  checkConstraints: { settings: /^delta\.constraints\./, column: null },
  changeDataFeed: { settings: /^delta\.enableChangeDataFeed$/, column: null },
  generatedColumns: { settings: /^$/, column: 'delta.generationExpression' },
  columnMapping: { settings: /^delta\.columnMapping\.mode$/, column: null },
  identityColumns: { settings: /^$/, column: 'delta.identity.start' },
};

const isOff = (value: string | null): boolean => value === null || /^(?:false|none|)$/i.test(value);

/** The settings and the columns by which a table uses an earlier feature. */
function usesOf(name: string, { configuration = {}, schemaString }: MetaData): string[] {
  const feature = earlier[name];
  if (!feature) return [];
  const { settings, column } = feature;
  const columns = column === null ? [] : (fields.safeParse(jsonOrNull(schemaString)).data?.fields ?? []);
  return [
    ...Object.entries(configuration)
      .filter(([setting, value]) => settings.test(setting) && !isOff(value))
      .map(([setting]) => setting),
    ...columns
      .filter(({ metadata }) => column !== null && metadata?.[column] !== undefined)
      .map((field) => `${column} of the column ${field.name}`),
  ];
}

const isEarlier = (name: string): boolean => Object.hasOwn(earlier, name);

function featuresInUse(names: readonly string[], metaData: MetaData): string[] {
  return names.flatMap((name) => (isEarlier(name) ? usesOf(name, metaData) : [name]));
}

/** What stops Wellbench from reading the files of a table: the version for readers decides. */
export function unreadFeatures({ minReaderVersion: version, readerFeatures }: Protocol, metaData: MetaData) {
  if (version <= ownProtocol.minReaderVersion) return [];
  if (version > listed.reader) return [`reader version ${version}`];
  return featuresInUse(version === listed.reader ? (readerFeatures ?? []) : ['columnMapping'], metaData);
}

/** What stops Wellbench from changing a table that it can read: it would break what another program relies on. */
export function unwrittenFeatures(
  { minWriterVersion: version, writerFeatures }: Protocol,
  metaData: MetaData,
) {
  if (version > listed.writer) return [`writer version ${version}`];
  return featuresInUse(version === listed.writer ? (writerFeatures ?? []) : Object.keys(earlier), metaData);
}
