import type { Channel } from '../../../shared/channels/channels.ts';
import { logScaleOf } from '../../../shared/channels/log-scales.ts';
import type { CurveStyle, PlotChoice } from '../../../shared/tabs/plot.ts';

type ChannelOf = (field: string) => Channel | null;

/** The most curves that a track gets without the user's doing. */
const maxDefaultCurves = 4;

/**
 * The fields of each track of a plot, in order: where the user put them, otherwise with those that logs print in the
 * same track, otherwise in a track of their own.
 * @param channelOf the channel of a field; null: unknown
 * @returns tracks without empty ones; each field is in one of them
 */
export function tracksOf(
  { y, tracks = [] }: Pick<PlotChoice, 'y' | 'tracks'>,
  channelOf: ChannelOf,
): string[][] {
  const shown = new Set(y);
  const placed: { fields: string[]; name: string | null }[] = tracks
    .map((fields) => fields.filter((field) => shown.delete(field)))
    .filter((fields) => fields.length > 0)
    .map((fields) => ({ fields, name: trackName(fields[0], channelOf) }));
  for (const field of shown) {
    const name = trackName(field, channelOf);
    const track = placed.find(
      (field) => name !== null && field.name === name && field.fields.length < maxDefaultCurves,
    );
    if (track) track.fields.push(field);
    else placed.push({ fields: [field], name });
  }
  return placed.map(({ fields }) => fields);
}

function trackName(field: string | undefined, channelOf: ChannelOf): string | null {
  const channel = field === undefined ? null : channelOf(field);
  return channel && (logScaleOf(channel)?.track ?? null);
}

/** The selections with a curve in another track. @param to the index of the track; the number of tracks: a new one */
export function movedCurve(
  choice: PlotChoice,
  tracks: readonly (readonly string[])[],
  field: string,
  to: number,
): PlotChoice {
  const next = [...tracks, []].map((fields, at) => {
    const otherFields = fields.filter((other) => other !== field);
    return at === to ? [...otherFields, field] : otherFields;
  });
  return { ...choice, tracks: next.filter((fields) => fields.length > 0) };
}

/** The selections with another style of a curve; null: the default of its channel. */
export function styledCurve(choice: PlotChoice, field: string, style: CurveStyle | null): PlotChoice {
  const { [field]: _before, ...otherCurves } = choice.curves ?? {};
  return { ...choice, curves: style ? { ...otherCurves, [field]: style } : otherCurves };
}
