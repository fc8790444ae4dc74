import * as z from 'zod';
import type { LatestOfWell } from './latest-values.ts';

/** The values of a channel beyond which it is marked, in the stored unit; null: none. */
export const channelLimits = z.object({ min: z.number().nullable(), max: z.number().nullable() });
export type ChannelLimits = z.infer<typeof channelLimits>;

export type LiveLimits = Readonly<Record<string, ChannelLimits>>;

/**
 * The limit that a value is beyond, and its side of it.
 * @param limits of the channel; undefined: it has none
 * @param value in the stored unit
 * @returns null: it is within them
 */
export function limitPassed(
  limits: ChannelLimits | undefined,
  value: number | bigint,
): Pick<LimitAlarm, 'side' | 'limit'> | null {
  if (!limits) return null;
  const { min, max } = limits;
  if (max !== null && value > max) return { side: 'above', limit: max };
  return min !== null && value < min ? { side: 'below', limit: min } : null;
}

/** A channel of a well that is beyond its limits by its last value, however old it is, or was between two updates. */
export interface LimitAlarm {
  readonly well: string;
  readonly field: string;
  readonly side: 'above' | 'below';
  /** The value and the limit that it is beyond, in the stored unit. */
  readonly value: number | bigint;
  readonly limit: number;
  /** The time of the value in Unix milliseconds; null: unknown. */
  readonly at: number | null;
  /** Whether later values of the same update are within the limits again. */
  readonly isOver: boolean;
}

/** Two alarms with the same key are one that lasts. */
export const alarmKey = ({ well, field, side }: Pick<LimitAlarm, 'well' | 'field' | 'side'>): string =>
  JSON.stringify([well, field, side]);

/** The channels that are beyond their limits now, in the order of wells and channels. */
export const alarmsOf = (wells: readonly LatestOfWell[], limits: LiveLimits): LimitAlarm[] =>
  wells.flatMap(({ well, values }) =>
    values.flatMap(({ field, value, at }) => {
      const passed = limitPassed(limits[field], value);
      return passed ? [{ well, field, ...passed, value, at, isOver: false }] : [];
    }),
  );

/**
 * The alarms to announce: each once, until a newer value was within the limits again.
 * @param announced those announced last
 * @param before all earlier alarms
 * @param now all current ones
 * @returns those to announce now, and all that the announcement has: an alarm that ended leaves it, so that the same
 *   one is a change when it comes again
 */
export function announcedAlarms(
  announced: readonly LimitAlarm[],
  before: readonly LimitAlarm[],
  now: readonly LimitAlarm[],
): { readonly added: readonly LimitAlarm[]; readonly all: readonly LimitAlarm[] } {
  const keysBefore = new Set(before.map(alarmKey));
  const current = new Set(now.map(alarmKey));
  const added = now.filter((alarm) => !keysBefore.has(alarmKey(alarm)));
  return { added, all: added.length > 0 ? added : announced.filter((alarm) => current.has(alarmKey(alarm))) };
}
