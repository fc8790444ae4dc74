import type { PlotChoice } from '../../../shared/tabs/plot.ts';
import type { Along } from '../../ui/plot/index.ts';
import { words } from '../../words/words.ts';
import { isTime, type PlotField } from './source.ts';

/** What a plot must know to call things by their names. */
export interface PlotNames {
  /** The unit of a field, where it is known. */
  readonly unitOf: (field: string) => string | undefined;
  /** The name of a well by its asset id as text, where it is known. */
  readonly wellName: (assetId: string) => string | undefined;
}

const shortName = (field: string): string => field.replace(/^data\./, '');

/** A field by its name without `data.`, and its unit. */
export function fieldName(field: string, { unitOf }: PlotNames): string {
  const unit = unitOf(field);
  return unit === undefined ? shortName(field) : words.plot.unit(shortName(field), unit);
}

/** A group by the name of its well, and what else tells it from others. */
export function groupName([well = '', ...others]: readonly string[], { wellName }: PlotNames): string {
  const name = wellName(well) ?? (well === '' ? words.plot.noWell : words.plot.well(well));
  return [name, ...others.filter((text) => text !== '')].join(' · ');
}

/** How the values along the axis are written. */
export function alongOf({ x, align }: PlotChoice, fields: readonly PlotField[], zone: string): Along {
  if (!fields.some((field) => field.id === x && isTime(field))) return { show: 'number' };
  return align === 'elapsed' ? { show: 'elapsed' } : { show: 'time', zone };
}

/** What stands beside the axis. */
export function alongLabel(choice: PlotChoice, along: Along, names: PlotNames): string {
  const name = fieldName(choice.x, names);
  // Whatever the records count in, the axis shows dates.
  if (along.show === 'time') return `${shortName(choice.x)} (${along.zone})`;
  if (along.show === 'elapsed') return `${shortName(choice.x)}, ${words.plot.elapsed}`;
  return choice.align === 'elapsed' ? `${name}, ${words.plot.elapsed}` : name;
}
