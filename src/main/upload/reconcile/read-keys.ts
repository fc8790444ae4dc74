import { AppError } from '../../../shared/errors/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { fieldsOf } from './read-existing.ts';
import type { CallOptions, DataService } from '../../services/services.ts';
import type { CsvThread } from '../thread/csv-client.ts';
import type { UploadPlan } from '../model/plan.ts';
import { queryFor } from './keys.ts';
import type { PrintPaths, RowPrint, Sighting } from '../preparing/prints.ts';

/** Keys of one query. */
const keysAtOnce = 300;
const pageRecords = 10_000;
/** The most records that are read to find some rows. */
export const mostRead = 200_000;

export interface KeyReader {
  readonly plan: UploadPlan;
  readonly thread: CsvThread;
  readonly data: Pick<DataService, 'find'>;
  readonly options: CallOptions;
}

/** All pages of a query. A page is never the last because it is short, but when it brings nothing new. */
async function readAll(
  { plan, thread, data, options }: KeyReader,
  query: JsonObject,
  paths: PrintPaths,
): Promise<Sighting[]> {
  const found = new Map<string, Sighting>();
  const fields = fieldsOf({ ...paths, index: null });
  const last = paths.key.at(-1)?.join('.');
  const sort: JsonObject = last === undefined ? { _id: 1 } : { [last]: 1, _id: 1 };
  for (let skip = 0; ;) {
    const page = await data.find(
      plan.address,
      { query, sort, limit: pageRecords, skip, fields, includeCount: true },
      options,
    );
    const before = found.size;
    for (const sighting of await thread.call('printPage', { ...paths, text: page.text }))
      found.set(sighting.id, sighting);
    skip += page.count;
    if (found.size > mostRead || (page.total ?? 0) > mostRead)
      throw new AppError('bad_answer', {
        service: 'data',
        problem: `more than ${mostRead} records stand where the rows may be`,
      });
    if (page.count === 0 || found.size === before || (page.total !== null && skip >= page.total))
      return [...found.values()];
  }
}

/**
 * Reads the records that stand where these rows belong. The witnesses are asked for together with each chunk: what is
 * not shown by the same read proves nothing.
 * @returns the records, and whether every read showed the witnesses
 * @throws AppError of the reads; bad_answer when there are too many records
 */
export async function readKeys(
  reader: KeyReader,
  paths: PrintPaths,
  rows: readonly RowPrint[],
  witnesses: readonly RowPrint[],
  isShown: (sightings: readonly Sighting[]) => boolean,
): Promise<{ sightings: Sighting[]; shown: boolean }> {
  const wanted = new Set([...rows, ...witnesses].map(({ key }) => key));
  const step = paths.key.length === 0 ? Math.max(rows.length, 1) : keysAtOnce;
  const found = new Map<string, Sighting>();
  let shown = true;
  for (let at = 0; at < rows.length; at += step) {
    const query = queryFor(paths.key, [...rows.slice(at, at + step), ...witnesses]);
    const sightings = await readAll(reader, query, paths);
    shown &&= isShown(sightings);
    for (const sighting of sightings) if (wanted.has(sighting.key)) found.set(sighting.id, sighting);
  }
  return { sightings: [...found.values()], shown };
}
