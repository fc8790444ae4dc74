import { channelOf, channels, type Synonyms } from '../../../shared/channels/channels.ts';
import { logScaleOf } from '../../../shared/channels/log-scales.ts';
import { unitOf } from '../../../shared/channels/units.ts';
import { type DatasetType, datasetShapes, indexFieldOf } from '../../../shared/datasets/datasets.ts';
import { maxPlotFields, type PlotChoice, type PlotKind } from '../../../shared/tabs/plot.ts';
import { isWellColumn } from '../../../shared/wells/wells.ts';
import { areWells, isTime } from '../records/table.ts';
import { isNumeric, type PlotField } from './source.ts';

// The channels of a rig that matter most, in this order; others follow in their own order.
const preferred = [/rop/, /weight_on_bit|wob/, /gamma|^gr$|(?:^|_)gh?c/, /hook|hkld/, /press|spp/, /rate/];
const envelope = new Set(['asset_id', 'company_id', 'version', 'stage_number', 'metadata.company_id']);
const addressFields = new Set(['provider', 'collection']);
const depthName = /depth|^dept?$|^tvd$|^md$/i;

/** Whether a field is a depth, by the last name of its path. */
export const isDepth = (id: string): boolean => depthName.test(lastName(id));

export const runsDown = ({ kind, y, isReversed: chosen }: PlotChoice): boolean =>
  kind !== 'tracks' && (chosen ?? (y.length > 0 && y.every(isDepth)));

/** The last name of a path id, such as `rop` of `data.rop`. */
export const lastName = (id: string): string => id.split('.').at(-1) ?? id;

/**
 * The fields that separate lines: each well, and each log of it, has its own line.
 * @param type of the dataset; null: unknown
 * @param isPath whether the lines are wellpaths: each survey and plan of a well has its own
 */
export function groupFields(
  type: DatasetType | null,
  fields: readonly PlotField[],
  isPath = false,
): string[] {
  const { scopeField, indexScope } = type === null ? unknownShape : datasetShapes[type];
  const well =
    fields.find(({ id }) => id === scopeField) ??
    fields.find((field) => isWellField(field) && areWells(lastName(field.id), { characters: 10, ...field }));
  const log = fields.find(({ id }) => id === indexScope);
  const wells = [well, log].flatMap((field) => (field ? [field.id] : []));
  if (!isPath) return wells;
  const paths = fields.filter((field) => pathName.test(lastName(field.id)) && !isFraction(field));
  return [...new Set([...wells, ...paths.map(({ id }) => id)])];
}
export const isWellField = ({ id }: Pick<PlotField, 'id'>): boolean =>
  isWellColumn(lastName(id)) && !pathName.test(lastName(id));

/** What tells several paths of a well apart; results of SQL have a prefix. */
const pathName =
  /^(?:data_|metadata_)?(?:survey|plan|wellplan|wellbore|sidetrack|run|bit_run|log)(?:_?(?:id|name|number|no|identifier))?$/i;
const isFraction = ({ kind }: PlotField): boolean => kind === 'number' || kind === 'mixed';
const unknownShape = { scopeField: 'asset_id', indexScope: null } as const;

const maxCategories = 3;

/** The fields whose values are categories: the well, and texts. */
export function categoryFields(type: DatasetType | null, fields: readonly PlotField[]): string[] {
  const wells = groupFields(type, fields);
  const texts = fields.filter(({ kind }) => kind === 'text' || kind === 'boolean').map(({ id }) => id);
  const varying = texts.filter((id) => type === null || !addressFields.has(id));
  return [...new Set([...wells.slice(0, 1), ...varying])].slice(0, maxCategories);
}

/** The fields for the x axis: times and depths, the most likely first, then all others with numbers. */
export function alongFields(type: DatasetType | null, fields: readonly PlotField[]): PlotField[] {
  const index = indexFieldOf(type);
  const rank = (field: PlotField): number => {
    const { id } = field;
    if (id === index) return 0;
    if (isTime(field)) return 1;
    if (isDepth(id)) return 2;
    return envelope.has(id) ? 4 : 3;
  };
  return fields.filter(isNumeric).toSorted((a, b) => rank(a) - rank(b));
}

/** The fields that can be plotted, without those that only identify a record. */
export function shownFields(fields: readonly PlotField[]): PlotField[] {
  return fields.filter((field) => isNumeric(field) && !isTime(field) && !envelope.has(field.id));
}

function liking({ id }: PlotField, ids: ReadonlySet<string>): number {
  if (isInOtherUnit(id, ids)) return preferred.length + 1;
  const name = lastName(id).toLowerCase();
  const at = preferred.findIndex((pattern) => pattern.test(name));
  return at === -1 ? preferred.length : at;
}

/** Whether a field repeats another one in a second unit, such as `weight_on_bit_kg` beside `weight_on_bit`. */
function isInOtherUnit(id: string, ids: ReadonlySet<string>): boolean {
  const unit = /_([a-z]+\d?)$/i.exec(id)?.[1];
  // `flow_in` isn't a flow in inches.
  return (
    unit !== undefined &&
    unit !== 'in' &&
    unitOf(unit) !== undefined &&
    ids.has(id.slice(0, -unit.length - 1))
  );
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
  const depth = along.find(({ id }) => isDepth(id));
  const time = along.find(isTime);
  const [first, second] = choice.y;
  const { others = [], plan, ...rest } = choice;
  if (kind === 'scatter' && now && (isTime(now) || isDepth(now.id)) && first && second) {
    const path = pathViews(fields);
    const isSection = path?.x === first && path.y[0] === second;
    const section = isSection ? { plan: path.plan } : {};
    return { ...rest, ...section, kind, x: first, y: [second], align: 'recorded', others: choice.y };
  }
  const x = (kind === 'tracks' ? depth : kind === 'scatter' ? now : (time ?? depth))?.id ?? choice.x;
  const y =
    choice.kind === 'scatter' && x !== choice.x
      ? [...others, choice.x, ...choice.y]
      : [...others, ...choice.y];
  const shown = [...new Set(y)].filter((id) => id !== x && fields.some((field) => field.id === id));
  // Only a section has a plan, which would order the points of a line by their measured depths.
  return { ...rest, ...(kind === 'scatter' && { plan }), kind, x, y: shown.slice(0, maxPlotFields) };
}

/**
 * The selections for a plot of these fields: those of the user, unless the fields are entirely different, for example
 * after a changed pipeline; then the default. Null: no field has numbers.
 */
export function choiceFor(
  chosen: PlotChoice | null,
  type: DatasetType | null,
  fields: readonly PlotField[],
  synonyms: Synonyms,
  timeKind: TimeKind = 'lines',
): PlotChoice | null {
  const has = (wanted: string) => fields.some(({ id }) => id === wanted);
  const fits = chosen !== null && has(chosen.x) && (chosen.y.length === 0 || chosen.y.some(has));
  return fits ? chosen : firstChoice(type, fields, synonyms, timeKind);
}

/** The kind of a plot over time, before the user selects one. */
export type TimeKind = Extract<PlotKind, 'lines' | 'panels'>;

const firstFieldCount = { lines: 2, panels: 4 };

/** The default selections for a plot of these fields. Null: no field has numbers. */
export function firstChoice(
  type: DatasetType | null,
  fields: readonly PlotField[],
  synonyms: Synonyms,
  timeKind: TimeKind = 'lines',
): PlotChoice | null {
  const path = pathViews(fields);
  if (path) return { kind: 'scatter', align: 'recorded', ...path };
  const days = daysAgainstDepth(fields);
  if (days) return { kind: 'lines', align: 'recorded', ...days };
  const mean = meanOfRanges(fields);
  if (mean) return { kind: 'bars', align: 'recorded', ...mean };
  const [along] = alongFields(type, fields);
  if (!along) return null;
  const otherFields = shownFields(fields).filter(({ id }) => id !== along.id);
  const ids = new Set(otherFields.map(({ id }) => id));
  const channels = otherFields
    .filter(({ id }) => !isDepth(id))
    .toSorted((a, b) => liking(a, ids) - liking(b, ids));
  const shown = channels.length > 0 ? channels : otherFields;
  const ordered = isTime(along) || isDepth(along.id);
  if (!ordered) {
    // Figures of groups: hours by state, means by formation.
    const [figure] = shownFields(fields);
    if (figure && fields.some(({ kind }) => kind === 'text'))
      return { kind: 'bars', x: along.id, y: [figure.id], align: 'recorded' };
    const [x, y] = shown;
    const first = x && y ? { x: x.id, y: [y.id] } : { x: along.id, y: shown.slice(0, 1).map(({ id }) => id) };
    return { kind: 'scatter', align: 'recorded', ...first };
  }
  const kind = isTime(along) ? timeKind : 'tracks';
  const y =
    kind === 'tracks'
      ? firstCurves(shown, synonyms)
      : shown.slice(0, firstFieldCount[kind]).map(({ id }) => id);
  return { kind, x: along.id, y, align: 'recorded' };
}

/** The result of the recipe: depths run downwards over the days of each well. */
function daysAgainstDepth(fields: readonly PlotField[]): Pick<PlotChoice, 'x' | 'y'> | null {
  const has = (name: string): boolean => fields.some((field) => field.id === name && isNumeric(field));
  return has('days') && has('hole_depth') ? { x: 'days', y: ['hole_depth'] } : null;
}

/** The result of the recipe of means: one for each formation, section, or stage, from one depth to another. */
function meanOfRanges(fields: readonly PlotField[]): Pick<PlotChoice, 'x' | 'y'> | null {
  const from = fields.find((field) => field.id === 'depth_from' && isNumeric(field));
  const mean = fields.find((field) => field.id.endsWith('_mean') && isNumeric(field));
  const isNamed = fields.some(({ kind }) => kind === 'text');
  return from && mean && isNamed ? { x: from.id, y: [mean.id] } : null;
}

/** The section of a wellpath, and its plan, by measured depths; null: the fields aren’t those of a wellpath. */
export function pathViews(fields: readonly PlotField[]): Pick<PlotChoice, 'x' | 'y' | 'plan'> | null {
  const idOf = (name: string): string | undefined =>
    fields.find((field) => isNumeric(field) && lastName(field.id) === name)?.id;
  const [section, depth, east, north] = [idOf('vertical_section'), idOf('tvd'), idOf('east'), idOf('north')];
  if (section === undefined || depth === undefined || east === undefined || north === undefined) return null;
  if (stationDepth(fields) === null) return null;
  return { x: section, y: [depth], plan: { x: east, y: north } };
}

/** The measured depth of the stations of a wellpath, which has the order of its line; null: there is none. */
export const stationDepth = (fields: readonly PlotField[]): string | null =>
  fields.find((field) => isNumeric(field) && stationDepthName.test(lastName(field.id)))?.id ?? null;
const stationDepthName = /^(?:data_)?(?:md|measured_?depth|station_?depth|dept|depth)$/i;

/** The tracks of a log print from left to right, with the most curves of each; all others come after them. */
const firstTracks: readonly (readonly [track: string, curves: number])[] = [
  ['lithology', 3],
  ['resistivity', 3],
  ['porosity', 2],
  ['sonic', 2],
  ['saturation', 2],
];
const maxFirstTracks = 5;
const dictionaryOrder: ReadonlyMap<string, number> = new Map(channels.map(({ name }, at) => [name, at]));

/** The fields for the first tracks: channels that logs print, if there are some, by their tracks. */
function firstCurves(shown: readonly PlotField[], synonyms: Synonyms): string[] {
  const printed = shown.flatMap(({ id }) => {
    const channel = channelOf(id, { synonyms })?.channel;
    const scale = channel && logScaleOf(channel);
    return scale ? [{ id, name: channel.name, track: scale.track ?? id }] : [];
  });
  const rankOf = (track: string): number => firstTracks.findIndex(([name]) => name === track) >>> 0;
  const curves = printed
    // A channel has several columns where a file has it in two units, or in several versions.
    .filter(({ name }, at) => printed.findIndex((other) => other.name === name) === at)
    .toSorted((a, b) => (dictionaryOrder.get(a.name) ?? 0) - (dictionaryOrder.get(b.name) ?? 0));
  const tracks = [...Map.groupBy(curves, ({ track }) => track)]
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b))
    .slice(0, maxFirstTracks)
    .flatMap(([track, all]) => all.slice(0, firstTracks.find(([name]) => name === track)?.[1] ?? 1));
  const ids = tracks.map(({ id }) => id);
  const otherIds = shown.map(({ id }) => id).filter((id) => printed.every((curve) => curve.id !== id));
  const trackCount = new Set(tracks.map(({ track }) => track)).size;
  return [...ids, ...otherIds.slice(0, Math.max(minFirstTracks - trackCount, 0))];
}
const minFirstTracks = 4;
