import type { Channel } from '../../../shared/channels/channels.ts';
import { type LogScale, logScaleOf } from '../../../shared/channels/log-scales.ts';
import { convert, likelyUnitOf, unitNamed } from '../../../shared/channels/units.ts';
import type { CurveFill, CurveScale, CurveStyle } from '../../../shared/tabs/plot.ts';
import type { PlotNames } from './names.ts';
import type { Range } from './thin.ts';

export interface CurveFacts {
  /** The unit in which they are shown, as text; absent: unknown. */
  readonly unit: string | undefined;
  readonly channel: Channel | null;
  /** All values; null: there are none. */
  readonly all: Range | null;
}

/** The smallest share of the values that a default scale has to show. */
const minShownShare = 0.02;

/**
 * The scale of a curve: the user's, in the present unit; otherwise the one on which logs print its channel, if the
 * values fit.
 * @returns null: by the values in view
 */
export function curveScaleOf(style: CurveStyle | undefined, facts: CurveFacts): CurveScale | null {
  if (style?.scale === 'auto') return null;
  if (style?.scale) return inUnit(style.scale, style.unit, facts);
  const usual = facts.channel && logScaleOf(facts.channel);
  if (!usual || !facts.all) return null;
  return candidates(usual, facts).find((scale) => fits(scale, facts.all)) ?? null;
}

/**
 * A fill in the present unit.
 * @param style the user's; undefined: the default
 * @returns the fill; `none` if there isn't one
 */
export function curveFillOf(style: CurveStyle | undefined, facts: CurveFacts): CurveFill {
  const fill = style?.fill ?? { to: 'none' };
  if (fill.to !== 'value') return fill;
  const change = changeBetween(style?.unit, facts);
  return change ? { ...fill, value: change(fill.value) } : fill;
}

/** A style with some properties changed, which are in the present unit, and the same others in that unit. */
export function changedStyle(
  style: CurveStyle | undefined,
  changes: CurveStyle,
  facts: CurveFacts,
): CurveStyle {
  const { scale, fill } = style ?? {};
  return {
    ...style,
    ...(scale && scale !== 'auto' ? { scale: inUnit(scale, style?.unit, facts) } : {}),
    ...(fill ? { fill: curveFillOf(style, facts) } : {}),
    ...(facts.unit === undefined ? {} : { unit: facts.unit }),
    ...changes,
  };
}

export const factsOf = (names: PlotNames, field: string, all: Range | null): CurveFacts => ({
  unit: names.unitOf(field),
  channel: names.channelOf?.(field) ?? null,
  all,
});

/** The usual scale in the unit of the values; in each likely one if that isn't known. */
function candidates(
  { left, right, unit, isLog }: LogScale,
  { unit: shown, channel }: CurveFacts,
): CurveScale[] {
  const from = unitNamed(unit);
  if (!from) return [];
  const to =
    shown === undefined
      ? from.quantity === 'ratio'
        ? [from, unitNamed('%')]
        : [from]
      : [likelyUnitOf(shown, channel?.quantity)];
  return to.flatMap((unit) => {
    const [start, end] = unit ? [convert(left, from, unit), convert(right, from, unit)] : [];
    return start === undefined || end === undefined
      ? []
      : [{ left: readable(start), right: readable(end), isLog }];
  });
}

/** Limits in another unit don't need the digits of its factor: 240 µs/ft are 787.4 µs/m. */
const readable = (limit: number): number => Number(limit.toPrecision(4));

function fits({ left, right, isLog }: CurveScale, all: Range | null): boolean {
  if (!all) return false;
  const [low, high] = [Math.min(left, right), Math.max(left, right)];
  const common = Math.min(high, all.to) - Math.max(low, all.from);
  return isLog ? common > 0 : common >= 0 && common >= (all.to - all.from) * minShownShare;
}

function inUnit(scale: CurveScale, unit: string | undefined, facts: CurveFacts): CurveScale {
  const change = changeBetween(unit, facts);
  return change
    ? { ...scale, left: readable(change(scale.left)), right: readable(change(scale.right)) }
    : scale;
}

/** Null: the units are the same, or one isn't known. */
function changeBetween(
  unit: string | undefined,
  { unit: shown, channel }: CurveFacts,
): ((value: number) => number) | null {
  if (unit === undefined || shown === undefined || unit === shown) return null;
  const quantity = channel?.quantity;
  const [from, to] = [likelyUnitOf(unit, quantity), likelyUnitOf(shown, quantity)];
  if (!from || !to || from === to) return null;
  return (value) => convert(value, from, to) ?? value;
}
