import { loadWithLibrary } from '../../duckdb/duckdb.ts';
import { dlis } from './dlis.ts';
import { json } from './json.ts';
import { las } from './las.ts';
import { lis } from './lis.ts';
import { listing } from './listing.ts';
import type { SourceAdapter } from './source.ts';
import { wits0, witsml } from './wits.ts';
import { xls } from './xls.ts';
import { xlsx } from './xlsx.ts';

// The table is loaded with the first file: its import fails on computers without the engine's library.
/** Parquet with flat columns, structures, and lists. Its engine is native code: conversions run it in a process. */
export const parquet: SourceAdapter = {
  format: 'parquet',
  recognize: (start) => Buffer.from(start.subarray(0, 4)).toString('latin1') === 'PAR1',
  async open(source) {
    const { openParquet } = await loadWithLibrary(import('./parquet.ts'));
    return openParquet(source);
  },
};

/** The readers of formats, in the order in which they are tried: unambiguous marks first, `text` last. */
export const adapters: readonly SourceAdapter[] = [
  xlsx,
  xls,
  parquet,
  dlis,
  lis,
  witsml,
  json,
  las,
  wits0,
  listing,
];
