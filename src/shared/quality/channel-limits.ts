import { channelOf, type Synonyms } from '../channels/channels.ts';
import { headerParts } from '../channels/header.ts';
import { convert, unitOf } from '../channels/units.ts';
import type { FieldLimits } from './field-track.ts';

/**
 * The physical limits of a field by the channel dictionary, in the field's unit.
 * @param unit of the field; null: as the name says, otherwise unknown
 * @param synonyms names of channels that the user has added
 * @returns null if the channel is unknown or unsure, or if the units don't fit
 */
export function channelLimits(name: string, unit: string | null, synonyms: Synonyms): FieldLimits | null {
  const match = channelOf(name, { unit, synonyms });
  const limits = match?.isSure === true ? match.channel.limits : null;
  if (!match || !limits) return null;
  if (limits.unit === '') return { min: limits.min, max: limits.max };
  const written = unit ?? headerParts(name).unit;
  const ownUnit = written === null ? undefined : unitOf(written, match.channel.quantity);
  const from = unitOf(limits.unit, match.channel.quantity);
  const min = ownUnit && from ? convert(limits.min, from, ownUnit) : undefined;
  const max = ownUnit && from ? convert(limits.max, from, ownUnit) : undefined;
  return min === undefined || max === undefined ? null : { min, max };
}
