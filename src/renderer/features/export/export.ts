import type { CsvStyle } from '../../../shared/export/csv-style.ts';
import type { ExportFormat, Aggregation } from '../../../shared/export/export.ts';
import type { FindTarget } from '../../../shared/query/query.ts';
import type { Api } from '../../api/api.ts';
import type { Zone } from '../../format/times.ts';

/** How times are written: raw, or ISO 8601 in a zone. */
export type ExportTimes = 'raw' | Zone;

export interface ExportChoice {
  readonly fileName: string;
  readonly times: ExportTimes;
  readonly format: ExportFormat;
  readonly csv?: Partial<CsvStyle>;
}

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
  | { readonly kind: 'whole'; readonly answerTo: Aggregation };

function exportQuery(question: ExportQuery) {
  if (question.kind === 'whole') return { answerTo: question.answerTo };
  const { query, sort, fields } = question;
  return { query, sort, fields: [...fields] };
}

/**
 * Starts exports; the list of jobs shows their progress.
 * @param localZone the local IANA zone
 */
export function createExport(api: Pick<Api, 'export' | 'files'>, localZone: () => string) {
  const zones: Record<ExportTimes, () => string | undefined> = {
    raw: () => undefined,
    utc: () => 'UTC',
    local: localZone,
  };
  return {
    /**
     * Starts an export.
     * @returns the job's id; null: canceled
     * @throws AppError
     */
    async start(
      target: FindTarget,
      question: ExportQuery,
      { fileName, times, format, csv }: ExportChoice,
      signal?: AbortSignal,
    ) {
      const options = signal ? { signal } : {};
      const file = await api.files.chooseTarget({ suggestedName: fileName }, options);
      if (!file) return null;
      const timeZone = zones[times]();
      const { job } = await api.export.start(
        {
          ...target,
          ...exportQuery(question),
          format,
          ...(csv && format === 'csv' ? { csv } : {}),
          ...(timeZone === undefined ? {} : { timeZone }),
          target: file.token,
        },
        options,
      );
      return job;
    },
  };
}

declare module '../../state/contexts.ts' {
  interface App {
    readonly exporting: ReturnType<typeof createExport>;
  }
}
