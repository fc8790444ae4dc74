import { channelOf } from '../../../../shared/channels/channels.ts';
import type { Dataset } from '../../../../shared/datasets/datasets.ts';
import type { DatasetField } from '../../../../shared/datasets/fields.ts';
import type { PlotOverlay } from '../../../../shared/tabs/plot.ts';

type Field = Pick<DatasetField, 'path' | 'types' | 'values'>;

/** The last name of a path, in words: `data.formation_name` is `formation name`. */
const nameOf = (path: string): string =>
  (path.split('.').at(-1) ?? path)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();

/** The first field whose name fits one of the patterns; earlier patterns come first. */
function firstOf(fields: readonly Field[], patterns: readonly RegExp[]): string | null {
  for (const pattern of patterns) {
    const field = fields.find(({ path }) => pattern.test(nameOf(path)));
    if (field) return field.path;
  }
  return null;
}

const namePatterns = [
  /formation name|surface name/, /^name$|^label$|^title$/, /formation|strat|horizon|marker|zone/, /name$/,
  /event|activity|operation|phase|section|stage|run|bit|casing|string/, /type|code|description|remark|comment/,
]; // oxfmt-ignore
const topPatterns = [
  /^(top|from|start|upper)( measured)?( depth| md)?$/, /(top|start|from|upper)( measured)? (depth|md)/, /depth (in|from|top|start)$/,
  /perforation top|^perf top/, /^md( top)?$/, /^measured depth$/, /^(depth|dept|dep)$|shoe depth|set depth/, /^hole depth$|^bit depth$/,
]; // oxfmt-ignore
const bottomPatterns = [
  /^(bottom|base|to|end|lower|btm)( measured)?( depth| md)?$/, /(bottom|base|end|to|lower)( measured)? (depth|md)/,
  /depth (out|to|bottom|base|end)$/, /perforation bottom|^perf (bottom|base)/, /^md (base|bottom)$/,
]; // oxfmt-ignore
const startPatterns = [
  /^(start|begin|from)( time| date)?$/,
  /(start|begin)/,
  /^(timestamp|datetime|date ?time|time|date)$/,
];
const endPatterns = [/^(end|stop|finish|to)( time| date)?$/, /\b(end|stop)\b/];

const isText = ({ types }: Field): boolean => types.includes('string') && !types.includes('number');
const isNumber = ({ types }: Field): boolean => types.includes('number') || types.includes('integer');
const isTime = ({ path, types }: Field): boolean =>
  types.includes('date') || /^(timestamp|datetime)$/.test(path);
/** Depths below the surface, not along the hole. */
const isVertical = ({ path }: Field): boolean => /tvd|vertical|subsea/.test(nameOf(path));

const envelope = /^(_id|version|asset_id|company_id|log_identifier|provider|collection|metadata\..*)$/;

/** The fields that an overlay can use. */
export interface OverlayFields {
  readonly names: readonly string[];
  readonly positions: readonly string[];
}

/**
 * The fields of a dataset that can name marks, and those that can place them.
 * @param fields of the dataset
 * @param along of the plot
 * @returns their paths
 */
export function overlayFields(fields: readonly Field[], along: PlotOverlay['along']): OverlayFields {
  const dataFields = fields.filter(({ path }) => !envelope.test(path));
  const isPosition = along === 'depth' ? (field: Field) => isNumber(field) && !isVertical(field) : isTime;
  const positions = dataFields.filter(isPosition).map(({ path }) => path);
  const names = dataFields.filter((field) => isText(field) && !isTime(field)).map(({ path }) => path);
  const stage = dataFields
    .filter(({ path }) => channelOf(path)?.channel.name === 'stage_number')
    .map(({ path }) => path);
  return { names: [...names, ...stage], positions };
}

/**
 * The overlay that a dataset offers, by the names of its fields.
 * @param dataset its address
 * @param fields of the dataset
 * @param along whether the plot's axis is a depth or a time
 * @returns null: it has no name, or no position along such an axis
 */
export function proposedOverlay(
  { provider, dataset }: Pick<Dataset, 'provider' | 'dataset'>,
  fields: readonly Field[],
  along: PlotOverlay['along'],
): PlotOverlay | null {
  const usable = overlayFields(fields, along);
  const names = fields.filter(({ path }) => usable.names.includes(path));
  const positions = fields.filter(({ path }) => usable.positions.includes(path));
  const name = firstOf(names, namePatterns) ?? usable.names[0];
  const [starts, ends] = along === 'depth' ? [topPatterns, bottomPatterns] : [startPatterns, endPatterns];
  const from = firstOf(positions, starts);
  if (name === undefined || from === null) return null;
  const to = firstOf(positions, ends);
  return { provider, dataset, along, name, from, to: to === from ? null : to };
}

/** What datasets of marks are called. */
const likely =
  /formation|tops?\b|marker|strat|section|casing|stage|event|activit|operation|bit|bha|run|perf|completion|shoe/i;

/**
 * The datasets that probably have marks, by their names.
 * @param datasets of the connection
 * @param max how many
 * @returns the likely ones
 */
export const likelyDatasets = (datasets: readonly Dataset[], max: number): Dataset[] =>
  datasets
    .filter(
      ({ dataset, friendlyName, type }) =>
        type !== 'depth' && likely.test(`${friendlyName} ${dataset.replaceAll(/[._-]/g, ' ')}`),
    )
    .toSorted((a, b) => Number(b.type === 'reference') - Number(a.type === 'reference'))
    .slice(0, max);
