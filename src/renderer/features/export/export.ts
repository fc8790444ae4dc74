import type { Calculation } from '../../../shared/calculated/calculated.ts';
import type {
  Aggregation,
  ExportOptions,
  ExportSample,
  PartitionKey,
} from '../../../shared/export/export.ts';
import type { FindTarget } from '../../../shared/query/query.ts';
import type { Api } from '../../api/api.ts';

/** The subject of an export: all records that match a find, or the complete result of another query. */
export type ExportQuery =
  | {
      readonly kind: 'find';
      /** Relaxed JSON, like `sort`. */
      readonly query: string;
      readonly sort: string;
      /** Dotted paths; empty: all fields. */
      readonly fields: readonly string[];
    }
  | { readonly kind: 'whole'; readonly aggregation: Aggregation };

function exportQuery(question: ExportQuery) {
  if (question.kind === 'whole') return { aggregation: question.aggregation };
  const { query, sort, fields } = question;
  return { query, sort, fields: [...fields] };
}

export interface StartOptions extends ExportOptions {
  readonly fileName: string;
  /** Divides the records into a folder of Parquet files. */
  readonly partition?: readonly PartitionKey[] | undefined;
  readonly calculation?: Calculation | undefined;
}

export function createExport(api: Pick<Api, 'export' | 'files'>) {
  return {
    /** @returns the job's id; null: canceled @throws AppError */
    async start(
      target: FindTarget,
      question: ExportQuery,
      { fileName, partition, ...written }: StartOptions,
      signal?: AbortSignal,
    ) {
      const options = signal ? { signal } : {};
      const file = partition
        ? await api.files.chooseFolder({ name: fileName.replace(/\.parquet$/, '') }, options)
        : await api.files.chooseTarget({ suggestedName: fileName }, options);
      if (!file) return null;
      // A folder has the order of its partitions.
      const order = partition ? { partition: [...partition], sort: '' } : {};
      const { job } = await api.export.start(
        { ...target, ...exportQuery(question), ...written, ...order, target: file.token },
        options,
      );
      return job;
    },
    /**
     * The text that an export would write for a few records.
     * @param records a JSON array
     * @param names the names of their wells by asset id
     * @throws AppError
     */
    sample: (
      records: string,
      names: Readonly<Record<string, string>>,
      fields: readonly string[],
      options: ExportOptions & Pick<ExportSample, 'fieldUnits'>,
      signal: AbortSignal,
    ) => api.export.sample({ ...options, records, names, fields: [...fields] }, { signal }),
  };
}

export type Exporting = ReturnType<typeof createExport>;
