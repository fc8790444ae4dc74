import { isAssetPath, scopeFieldOf, type DatasetType } from '../../../../shared/datasets/datasets.ts';
import { AppError } from '../../../../shared/errors/errors.ts';
import { instantOf } from '../../../../shared/instants.ts';
import { isObject, valueAt, type JsonValue } from '../../../../shared/json.ts';
import type { FindRequest } from '../../../../shared/query/query.ts';
import type { PlotOverlay } from '../../../../shared/tabs/plot.ts';
import { isNullNumber } from '../../../../shared/upload/null-tokens.ts';
import type { Api } from '../../../api/api.ts';
import { Resource } from '../../../state/resource.ts';
import type { FieldCatalogue } from '../../datasets/field-catalogue.ts';

export interface OverlayMark {
  /** The asset id, as text; empty: of no well. */
  readonly well: string;
  readonly name: string;
  /** As stored; Unix milliseconds for a time. */
  readonly from: number;
  readonly to: number | null;
}

/** The most records that are read of a dataset, and the most marks that are drawn of them. */
export const maxMarks = 2000;

/**
 * A record for each item of the lists on the way to a field, such as the stages in `data.stages`, with the item in place of its
 * list.
 */
function itemsOf(value: JsonValue, path: readonly string[]): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap((item) => itemsOf(item, path));
  const [name, ...rest] = path;
  if (name === undefined || !isObject(value)) return [value];
  return itemsOf(value[name] ?? null, rest).map((item) => ({ ...value, [name]: item }));
}

const wellText = (well: JsonValue | undefined): string =>
  typeof well === 'number' || typeof well === 'string' ? String(well) : '';

/** A second of Unix time has fewer digits than a millisecond. */
const maxSeconds = 1e11;

function positionOf(value: JsonValue | undefined, along: PlotOverlay['along']): number | null {
  if (typeof value === 'string') {
    const number = along === 'time' ? instantOf(value) : Number(value);
    return value.trim() === '' || !Number.isFinite(number) ? null : number;
  }
  if (isObject(value)) return positionOf(value['$date'], along);
  if (typeof value !== 'number' || !Number.isFinite(value) || isNullNumber(value)) return null;
  return along === 'time' && Math.abs(value) < maxSeconds ? value * 1000 : value;
}

/** A measurement, such as an inclination, needs few digits. */
const nameText = (name: string | number): string =>
  typeof name === 'number' && !Number.isInteger(name) ? String(Number(name.toPrecision(6))) : String(name);

/**
 * The marks of records, in order: one for each record, or for each item of the list that the positions are in.
 * @param text JSON of an array of records
 * @param scopeField the path of the well
 * @returns those with a name and a position
 */
export function marksOf(text: string, overlay: PlotOverlay, scopeField: string): OverlayMark[] {
  const records: JsonValue = JSON.parse(text);
  if (!Array.isArray(records) || !records.every(isObject))
    throw new AppError('internal', { problem: 'records are not objects' });
  return records
    .flatMap((record) => itemsOf(record, overlay.from.split('.')).filter(isObject))
    .flatMap((record) => {
      const valueOf = (path: string) => valueAt(record, path.split('.'));
      const [name, well] = [valueOf(overlay.name), valueOf(scopeField)];
      const from = positionOf(valueOf(overlay.from), overlay.along);
      const to = overlay.to === null ? null : positionOf(valueOf(overlay.to), overlay.along);
      if (from === null || (typeof name !== 'string' && typeof name !== 'number') || name === '') return [];
      const ends = to !== null && to < from ? { from: to, to: from } : { from, to };
      return [{ well: wellText(well), name: nameText(name), ...ends }];
    })
    .toSorted((a, b) => a.from - b.from);
}

export interface ReadMarks {
  readonly marks: readonly OverlayMark[];
  /** Whether the dataset has more than are read or drawn. */
  readonly isCut: boolean;
  /** Whether they are of wells, and those of the plot are unknown; absent: no. */
  readonly needsWells?: boolean;
}

export type Overlays = ReturnType<typeof createOverlays>;

interface MarksKey {
  readonly overlay: PlotOverlay;
  /** Of the dataset; null: unknown. It may then have its wells in another field. */
  readonly type: DatasetType | null;
  /** Asset ids as text; empty: unknown. */
  readonly wells: readonly string[];
}

/** The marks of overlays, in order: one reading for all plots. */
export function createOverlays(
  api: { readonly query: Pick<Api['query'], 'find'> },
  connection: string,
  catalogue: Pick<FieldCatalogue, 'value'>,
) {
  async function read({ overlay, type, wells }: MarksKey): Promise<ReadMarks> {
    const { provider, dataset, name, from, to } = overlay;
    const scope = scopeFieldOf(type);
    const ids = wells.map(Number).filter(Number.isSafeInteger);
    if (ids.length === 0) {
      // Marks of all wells would be taken for those of the plot.
      const { fields } = await catalogue.value({ connection, address: { provider, dataset } });
      if (fields.some(({ path, absent }) => isAssetPath(path) && absent !== 1))
        return { marks: [], isCut: false, needsWells: true };
    }
    const request: FindRequest = {
      connection,
      provider,
      dataset,
      query: ids.length === 0 ? '{}' : JSON.stringify({ [scope]: { $in: ids } }),
      sort: '{}',
      // One more shows that there are more.
      limit: maxMarks + 1,
      skip: 0,
      fields: [scope, name, from, ...(to === null ? [] : [to])],
      includeCount: false,
    };
    const page = await api.query.find(request);
    const marks = marksOf(new TextDecoder().decode(page.records), overlay, scope);
    return { marks: marks.slice(0, maxMarks), isCut: page.count > maxMarks || marks.length > maxMarks };
  }

  return new Resource(read, { idOf: JSON.stringify });
}
