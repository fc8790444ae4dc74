import type { DatasetType } from '../../../shared/datasets/datasets.ts';
import { datasetShapes } from '../../../shared/datasets/shapes.ts';
import { maxPlotFields, type PlotChoice } from '../../../shared/tabs/plot.ts';
import { isNumeric, isTime, type PlotField } from './source.ts';

// The channels of a rig that matter most, in this order; others follow in their own order.
const preferred = [/rop/, /weight_on_bit|wob/, /gamma|^gr$|gh?c/, /hook|hkld/, /pressure|press|spp/, /rate/];
const envelope = new Set(['asset_id', 'company_id', 'version', 'stage_number', 'metadata.company_id']);
const depthName = /depth|^dep$|^tvd$|^md$/;

const lastName = (id: string): string => id.split('.').at(-1) ?? id;

/** The fields that separate lines: each well, and each log of it, has its own line. */
export function groupFields(type: DatasetType | null, fields: readonly PlotField[]): string[] {
  const { scopeField, indexScope } = type === null ? unknownShape : datasetShapes[type];
  const has = new Set(fields.map(({ id }) => id));
  return [scopeField, ...(indexScope === null ? [] : [indexScope])].filter((id) => has.has(id));
}
const unknownShape = { scopeField: 'asset_id', indexScope: null } as const;

/** The fields for the x axis: times and depths, the most likely first, then all others with numbers. */
export function alongFields(type: DatasetType | null, fields: readonly PlotField[]): PlotField[] {
  const index = type === null ? null : datasetShapes[type].indexField;
  const rank = (field: PlotField): number => {
    const { id } = field;
    if (id === index) return 0;
    if (isTime(field)) return 1;
    if (depthName.test(lastName(id))) return 2;
    return envelope.has(id) ? 4 : 3;
  };
  return fields.filter(isNumeric).toSorted((a, b) => rank(a) - rank(b));
}

/** The fields that can be plotted, without those that only identify a record. */
export function shownFields(fields: readonly PlotField[]): PlotField[] {
  return fields.filter((field) => isNumeric(field) && !isTime(field) && !envelope.has(field.id));
}

function liking({ id }: PlotField): number {
  const at = preferred.findIndex((pattern) => pattern.test(lastName(id)));
  return at === -1 ? preferred.length : at;
}

/** The same fields in another kind of plot, with the index that suits it: depth for tracks, time for lines. */
export function inKind(
  kind: PlotChoice['kind'],
  choice: PlotChoice,
  type: DatasetType | null,
  fields: readonly PlotField[],
): PlotChoice {
  const along = alongFields(type, fields);
  const now = along.find(({ id }) => id === choice.x);
  const depth = along.find(({ id }) => depthName.test(lastName(id)));
  const time = along.find(isTime);
  const [first, second] = choice.y;
  if (kind === 'scatter' && now && (isTime(now) || depthName.test(lastName(now.id))) && first && second)
    return { kind, x: first, y: [second], align: 'recorded' };
  const x = (kind === 'tracks' ? depth : kind === 'lines' ? (time ?? depth) : now)?.id ?? choice.x;
  const y = choice.kind === 'scatter' && x !== choice.x ? [choice.x, ...choice.y] : choice.y;
  const shown = [...new Set(y)].filter((id) => id !== x && fields.some((field) => field.id === id));
  return { ...choice, kind, x, y: shown.slice(0, maxPlotFields) };
}

/**
 * The selections for a plot of these fields: those of the user, unless the fields are entirely different, for example
 * after a changed pipeline; then the default. Null: no field has numbers.
 */
export function choiceFor(
  chosen: PlotChoice | null,
  type: DatasetType | null,
  fields: readonly PlotField[],
): PlotChoice | null {
  const has = (wanted: string) => fields.some(({ id }) => id === wanted);
  const fits = chosen !== null && has(chosen.x) && (chosen.y.length === 0 || chosen.y.some(has));
  return fits ? chosen : firstChoice(type, fields);
}

/** The default selections for a plot of these fields. Null: no field has numbers. */
export function firstChoice(type: DatasetType | null, fields: readonly PlotField[]): PlotChoice | null {
  const [along] = alongFields(type, fields);
  if (!along) return null;
  const others = shownFields(fields).filter(({ id }) => id !== along.id);
  const channels = others
    .filter(({ id }) => !depthName.test(lastName(id)))
    .toSorted((a, b) => liking(a) - liking(b));
  const shown = channels.length > 0 ? channels : others;
  const ordered = isTime(along) || depthName.test(lastName(along.id));
  if (!ordered) {
    const [x, y] = shown;
    const first = x && y ? { x: x.id, y: [y.id] } : { x: along.id, y: shown.slice(0, 1).map(({ id }) => id) };
    return { kind: 'scatter', align: 'recorded', ...first };
  }
  const kind = isTime(along) ? 'lines' : 'tracks';
  const y = shown.slice(0, kind === 'lines' ? 2 : 4).map(({ id }) => id);
  return { kind, x: along.id, y, align: 'recorded' };
}
