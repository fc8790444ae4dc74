import type { Channel } from '../../../shared/channels/channels.ts';
import type { FieldNames } from '../../../shared/channels/plain-names.ts';
import type { PlotChoice } from '../../../shared/tabs/plot.ts';
import { alongText, type Along, type ChartRange } from '../../ui/plot/index.ts';
import type { Content, Drawn } from './content.ts';
import { rangeOfPoints } from './extent.ts';
import { plotWords } from '../../words/plot.ts';
import { formatCount } from '../../format/numbers.ts';
import { maxGroups } from '../records/figures.ts';
import { nameOfLog, type LogNames } from '../records/shown-cells.ts';
import { isTime } from '../records/table.ts';
import type { PlotField } from './source.ts';

export interface PlotNames {
  readonly field: FieldNames;
  /** The unit in which a field is shown, if known. */
  readonly unitOf: (field: string) => string | undefined;
  /** The unit in which a field is stored, if it is shown in another one. */
  readonly storedUnitOf?: (field: string) => string | undefined;
  /** What a field measures, by the channel dictionary; null: unknown. */
  readonly channelOf?: (field: string) => Channel | null;
  /** The name of a well by its asset id as text, if known. */
  readonly wellName: (assetId: string) => string | undefined;
  /** The names of logs; absent: they are shown by their ids, as for other programs. */
  readonly logNames?: LogNames | undefined;
}

/** A field by its name and unit. */
export function fieldName(path: string, { field, unitOf }: Pick<PlotNames, 'field' | 'unitOf'>): string {
  const unit = unitOf(path);
  const { line } = field(path);
  return unit === undefined ? line : plotWords.unit(line, unit);
}

/** The name of a group: its well, and what distinguishes it from others. */
export function groupName(
  [well = '', ...otherTexts]: readonly string[],
  { wellName, logNames }: PlotNames,
): string {
  const name = wellName(well) ?? (well === '' ? plotWords.noWell : plotWords.well(well));
  const parts = otherTexts.map((text) => nameOfLog(logNames, well, text) ?? text);
  return [name, ...parts.filter((text) => text !== '')].join(' · ');
}

/** The names of the groups of a plot: what distinguishes those of a well is said where there are several. */
export function groupNames(groups: Content['groups'], names: PlotNames): string[] {
  const ofWell = Map.groupBy(groups, ([well = '']) => well);
  return groups.map((group) => {
    const [well = ''] = group;
    return groupName((ofWell.get(well)?.length ?? 0) > 1 ? group : [well], names);
  });
}

/** The wells of a plot; empty: the records have none. */
export function wellsText(
  { groups, groupsLeft }: Pick<Content, 'groups' | 'groupsLeft'>,
  names: PlotNames,
): string {
  const wells = [...new Set(groups.filter(([well]) => well).map(([well = '']) => groupName([well], names)))];
  return plotWords.wells(wells, groupsLeft > 0);
}

/** The wells of a query that have no record in a plot; empty: all have some, or the records lack asset ids. */
export function missingWells(
  requestedWells: readonly string[],
  { groups, groupsLeft }: Pick<Content, 'groups' | 'groupsLeft'>,
  names: PlotNames,
): string[] {
  const present = new Set(groups.flatMap(([well]) => well ?? []));
  if (groupsLeft > 0 || !requestedWells.some((well) => present.has(well))) return [];
  return requestedWells.filter((well) => !present.has(well)).map((well) => groupName([well], names));
}

function rangeText({ from, to }: ChartRange, along: Along, label: string): string {
  const [start, end] = [alongText(from, along, to - from), alongText(to, along, to - from)];
  // The same day is written once.
  const isSameDay = along.show === 'time' && start.slice(0, 11) === end.slice(0, 11);
  return plotWords.part(start, isSameDay ? end.slice(11) : end, label);
}

/**
 * What a plot shows: its wells and its range, with the format and title of the axis; and which wells are missing.
 * @param zone of times, an IANA name
 * @param requestedWells the wells that the query names, by their ids as text
 */
export function plotFacts(
  { content, part: { x } }: Pick<Drawn, 'content' | 'part'>,
  fields: readonly PlotField[],
  zone: string,
  names: PlotNames,
  requestedWells: readonly string[],
) {
  const along = alongOf(content.choice, fields, zone);
  const label = alongLabel(content, along, names);
  const absent = missingWells(requestedWells, content, names);
  return {
    along,
    label,
    wells: wellsText(content, names),
    range: rangeText(rangeOfPoints(x, content.lines), along, label),
    lacking: [
      ...groupsShown(content),
      ...(absent.length > 0 ? [plotWords.absent(absent, content.part !== null)] : []),
    ],
  };
}

/** A number of groups; beyond the maximum it is unknown. */
export const groupCountText = (count: number): string =>
  count > maxGroups ? plotWords.over(maxGroups) : formatCount(count);

/** Which of the wells and logs are shown, unless all are. */
export const groupsShown = ({ groups, groupsLeft }: Pick<Content, 'groups' | 'groupsLeft'>): string[] =>
  groupsLeft > 0 ? [plotWords.groupsShown(groups.length, groupCountText(groups.length + groupsLeft))] : [];

/** The format of the values along the axis. */
export function alongOf({ x, align }: PlotChoice, fields: readonly PlotField[], zone: string): Along {
  if (!fields.some((field) => field.id === x && isTime(field))) return { show: 'number' };
  return align === 'elapsed' ? { show: 'elapsed' } : { show: 'time', zone };
}

/** The title of the axis. @param part the share of the matching records that is drawn; null: all */
export function alongLabel(
  { choice, part }: Pick<Content, 'choice' | 'part'>,
  along: Along,
  names: PlotNames,
): string {
  const elapsed = part ? plotWords.elapsedOfPart : plotWords.elapsed;
  const name = fieldName(choice.x, names);
  // The axis shows dates whatever the unit of the records.
  if (along.show === 'time') return `${names.field(choice.x).line} (${along.zone})`;
  if (along.show === 'elapsed') return `${names.field(choice.x).line}, ${elapsed}`;
  return choice.align === 'elapsed' ? `${name}, ${elapsed}` : name;
}
