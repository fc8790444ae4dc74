import type { DuckDBConnection } from '@duckdb/node-api';
import { literal } from '../../../shared/sql/sql-name.ts';

/** By default, each thread has 32 MB, beside the limit of memory. */
const smallBuffers = 'buffer_size = 1048576, max_line_size = 65536';

export interface PlacesToSort {
  /** A file with lines of start, bytes, line, and index. */
  readonly from: string;
  /** A new file. */
  readonly to: string;
}

/** Sorts places of records by their index; those with the same one stay in the order of the file, those without one are last. */
export async function sortPlaces(connection: DuckDBConnection, { from, to }: PlacesToSort): Promise<void> {
  const columns = `{'start': 'BIGINT', 'bytes': 'BIGINT', 'line': 'BIGINT', 'place': 'DOUBLE'}`;
  await connection.run(
    `COPY (SELECT * FROM read_csv(${literal(from)}, header = false, auto_detect = false, delim = ',', ${smallBuffers}, columns = ${columns}) ORDER BY place, start) TO ${literal(to)} (FORMAT csv, HEADER false)`,
  );
}

/** How often places of a well repeat an earlier one. */
export interface RepeatedPlaces {
  readonly well: string;
  readonly repeats: number;
}

/** Counts repeated places in a file with lines of well and index. */
export async function countRepeats(connection: DuckDBConnection, from: string): Promise<RepeatedPlaces[]> {
  const columns = `{'well': 'VARCHAR', 'place': 'DOUBLE'}`;
  const reader = await connection.runAndReadAll(
    `SELECT well, sum(records - 1)::DOUBLE FROM (
       SELECT coalesce(well, '') AS well, place, count(*) AS records
       FROM read_csv(${literal(from)}, header = false, auto_detect = false, delim = ',', ${smallBuffers}, quote = '"', escape = '"', columns = ${columns})
       GROUP BY ALL HAVING records > 1
     ) GROUP BY well`,
  );
  return reader.getRows().map(([well, repeats]) => ({ well: String(well), repeats: Number(repeats) }));
}
