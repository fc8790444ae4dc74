import { json } from './json/json.ts';
import { las } from './las/las.ts';
import { listing } from './listing/listing.ts';
import { parquet } from './parquet/parquet.ts';
import type { SourceAdapter } from './source.ts';
import { wits0 } from './wits0/wits0.ts';
import { witsml } from './witsml/witsml.ts';
import { xls } from './xls/xls.ts';
import { xlsx } from './xlsx/xlsx.ts';

/** The readers of formats, in the order in which they are tried: unambiguous marks first, `text` last. */
export const adapters: readonly SourceAdapter[] = [xlsx, xls, parquet, witsml, json, las, wits0, listing];
