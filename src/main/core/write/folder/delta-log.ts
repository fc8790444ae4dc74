import { randomUUID } from 'node:crypto';
import { encodedPath, ownProtocol, type Action } from '../delta/actions.ts';
import { growSchema, type DeltaColumn, type DeltaType } from '../delta/schema.ts';
import type { About } from '../../records/about.ts';
import type { ColumnType } from '../../records/column-types.ts';
import { partitionValues } from '../census/partition.ts';
import type { WrittenColumn } from '../parquet/write-table.ts';
import type { Part } from './manifest.ts';

const deltaTypes: Readonly<Record<ColumnType, DeltaType>> = {
  BOOLEAN: 'boolean',
  INT64: 'long',
  DOUBLE: 'double',
  STRING: 'string',
  TIMESTAMP: 'timestamp',
};

/** The columns of files in a table of Delta: those that are written, with the names that its readers accept. */
export function tableColumns(columns: readonly WrittenColumn[], { columns: facts }: About) {
  const described = columns.map(({ name, path, type }): DeltaColumn => {
    const { unit, description } = facts[path] ?? {};
    return { name, type: deltaTypes[type], unit: type === 'TIMESTAMP' ? undefined : unit, description };
  });
  const { names } = growSchema(null, described);
  const nameAt = (at: number): string => names[at] ?? '';
  return {
    written: columns.map((column, at) => ({ ...column, name: nameAt(at) })),
    described: described.map((column, at) => ({ ...column, name: nameAt(at) })),
  };
}

/** A file of the folder, with its statistics. */
export interface LoggedPart extends Pick<Part, 'path' | 'bytes'> {
  readonly stats: string;
}

const isInteger = /^-?\d{1,18}$/;
const isDay = /^\d{4}-\d\d-\d\d$/;

/** The type of a column of partitions, from all of its values. */
function partitionType(values: readonly (string | null)[]): DeltaType {
  const texts = values.filter((value) => value !== null);
  if (texts.every((text) => isInteger.test(text))) return 'long';
  return texts.every((text) => isDay.test(text)) ? 'date' : 'string';
}

interface LoggedFolder {
  readonly job: string;
  readonly about: About;
  /** With the names that they have in the files. */
  readonly columns: readonly DeltaColumn[];
  readonly parts: readonly LoggedPart[];
}

/**
 * The first commit of a table of Delta, of a folder's files.
 * @param nowMs in milliseconds
 * @returns its lines
 */
export function folderLog({ job, about, columns, parts }: LoggedFolder, nowMs: number): string {
  const values = parts.map(({ path }) => partitionValues(path));
  const keys = [...(values[0]?.keys() ?? [])];
  const partitionColumns = keys.map((name): DeltaColumn => ({
    name,
    type: partitionType(values.map((of) => of.get(name) ?? null)),
  }));
  // A field of the records that is called like a partition keeps its name.
  const { schema, names } = growSchema(null, [...columns, ...partitionColumns]);
  const partitionNames = names.slice(columns.length);
  const { version, dataUrl, dataset, request } = about;
  const actions: readonly Action[] = [
    {
      commitInfo: {
        timestamp: nowMs,
        operation: 'WRITE',
        operationParameters: { mode: 'Overwrite', partitionBy: JSON.stringify(partitionNames) },
        engineInfo: `Wellbench/${version}`,
      },
    },
    { protocol: ownProtocol },
    {
      metaData: {
        id: randomUUID(),
        name: dataset,
        description: undefined,
        format: { provider: 'parquet', options: {} },
        schemaString: schema,
        partitionColumns: partitionNames,
        configuration: { 'wellbench.service': dataUrl, 'wellbench.request': request },
        createdTime: nowMs,
      },
    },
    { txn: { appId: job, version: 0, lastUpdated: nowMs } },
    ...parts.map(({ path, bytes, stats }, at) => ({
      add: {
        path: encodedPath(path),
        partitionValues: Object.fromEntries(
          keys.map((key, column) => [partitionNames[column] ?? key, values[at]?.get(key) ?? null]),
        ),
        size: bytes,
        modificationTime: nowMs,
        dataChange: true,
        stats,
        tags: undefined,
      },
    })),
  ];
  return actions.map((action) => `${JSON.stringify(action)}\n`).join('');
}
