import type { Quantity } from '../units.ts';

/** The lowest and highest value that is physically possible, in a unit by its symbol. */
export type Limits = readonly [min: number, max: number, unit: string];

/**
 * A channel as the tables have it. `names`: mnemonics and spellings, separated by commas. A prefix says how sure they
 * are or which statistic they have: `?` another channel can be meant, `max:` and `min:` the extremes of an interval.
 */
export type ChannelRow = readonly [name: string, quantity: Quantity | null, names: string, limits?: Limits];
