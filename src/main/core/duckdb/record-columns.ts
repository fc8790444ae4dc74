/** The type of a column of {@link TableRecords}. `time`: Unix milliseconds. */
export type RecordColumnType = 'integer' | 'large_integer' | 'number' | 'boolean' | 'time' | 'text';

export interface RecordColumn {
  /** The field of the records: unique whatever the case of letters. */
  readonly key: string;
  readonly name: string;
  readonly type: RecordColumnType;
  readonly unit: string | null;
}

/** The rows of a file as records, one field for each column. */
export interface TableRecords {
  readonly columns: readonly RecordColumn[];
  readonly rows: number;
  /** What was left out or assumed, in sentences. */
  readonly notes: readonly string[];
}
