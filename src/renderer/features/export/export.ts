import type { CsvStyle } from '../../../shared/export/csv-style.ts';
import type { ExportFormat, WholeQuestion } from '../../../shared/export/export.ts';
import type { FindTarget } from '../../../shared/query/query.ts';
import type { Api } from '../../api/api.ts';
import type { Zone } from '../../format/times.ts';

/** How times are written: as the service gave them, or as ISO 8601 in a zone. */
export type ExportTimes = 'raw' | Zone;

export interface ExportChoice {
  readonly fileName: string;
  readonly times: ExportTimes;
  readonly format: ExportFormat;
  readonly csv?: Partial<CsvStyle>;
}

/** What is to be exported: everything that a find matches, or the answer to a question that comes whole. */
export type ExportQuestion =
  | {
      readonly kind: 'find';
      /** Relaxed JSON, as `sort`. */
      readonly query: string;
      readonly sort: string;
      /** Dotted paths; none: all fields. */
      readonly fields: readonly string[];
    }
  | { readonly kind: 'whole'; readonly answerTo: WholeQuestion };

function asked(question: ExportQuestion) {
  if (question.kind === 'whole') return { answerTo: question.answerTo };
  const { query, sort, fields } = question;
  return { query, sort, fields: [...fields] };
}

/**
 * Starting exports; how they go on is seen among the jobs.
 * @param localZone the person's own zone, an IANA name
 */
export function createExport(api: Pick<Api, 'export' | 'files'>, localZone: () => string) {
  const zones: Record<ExportTimes, () => string | undefined> = {
    raw: () => undefined,
    utc: () => 'UTC',
    local: localZone,
  };
  return {
    /**
     * Starts the export of everything that matches. Gives the job's id, or null when the person thought better of the
     * place it was to go.
     * @throws AppError
     */
    async start(
      target: FindTarget,
      question: ExportQuestion,
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
          ...asked(question),
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
