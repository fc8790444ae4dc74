import type { GrantedFile } from '../../../../shared/files/files.ts';
import type { Api } from '../../../api/api.ts';

export const sqlFormats = ['csv', 'xlsx', 'parquet', 'ndjson', 'json'] as const;
export type SqlFormat = (typeof sqlFormats)[number];

interface SavedRows {
  readonly name: string;
  readonly rows: number;
  /** What its tables have of their records; undefined: all. */
  readonly computedFrom?: string | undefined;
  readonly warnings: readonly string[];
  /** To be downloaded; null: it is where the user chose. */
  readonly file: GrantedFile | null;
}

/**
 * Saves all rows of a statement where the user chooses.
 * @returns null: the user canceled the choice
 * @throws AppError
 */
export type SaveSqlRows = (
  suggestedName: string,
  format: SqlFormat,
  sql: string,
  signal: AbortSignal,
) => Promise<SavedRows | null>;

export const createSaveSqlRows =
  (api: {
    readonly files: Pick<Api['files'], 'chooseTarget'>;
    readonly sql: Pick<Api['sql'], 'save'>;
  }): SaveSqlRows =>
  async (suggestedName, format, sql, signal) => {
    const target = await api.files.chooseTarget({ suggestedName }, { signal });
    if (!target) return null;
    // What its tables read as null is null in the rows; such a number in them is one that the user keeps.
    const request = { sql, format, target: target.token, nullValues: 'keep' } as const;
    const { rows, file, computedFrom, warnings } = await api.sql.save(request, { signal });
    return { name: target.name, rows, file, computedFrom, warnings };
  };
