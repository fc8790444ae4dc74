import * as z from 'zod';
import type { LatestOfWell } from './latest-values.ts';
import { synonymsOf } from '../../../shared/channels/channels.ts';
import { addressOf, type DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { systemNotices } from '../../api/system-notices.ts';
import type { Session } from '../../contexts.ts';
import { delay } from '../../state/follow-stream.ts';
import { valueOr } from '../../state/loadable.ts';
import { formatValue } from '../../format/numbers.ts';
import { words } from '../../words/words.ts';
import { groupName, type PlotNames } from '../plot/names.ts';
import { fieldNamesNow } from '../datasets/use-field-names.ts';
import { shownNames } from '../plot/use-names.ts';
import { cellConverter, unitChanges, type UnitChanges } from '../records/shown-cells.ts';
import { listedWells } from '../wells/wells-state.ts';

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
  const lasting = (alarms: readonly LimitAlarm[]) =>
    new Set(alarms.filter(({ isOver }) => !isOver).map(alarmKey));
  const [keysBefore, current] = [lasting(before), lasting(now)];
  const added = now.filter((alarm) => !keysBefore.has(alarmKey(alarm)));
  return { added, all: added.length > 0 ? added : announced.filter((alarm) => current.has(alarmKey(alarm))) };
}

const w = words.live.limits;

/** An alarm as a sentence, with its value and its limit in the unit in which the channel is shown. */
export function alarmText(alarm: LimitAlarm, names: PlotNames, changes: UnitChanges): string {
  const { well, field, side, isOver } = alarm;
  const convert = cellConverter(changes, field);
  const [value, limit] = [alarm.value, alarm.limit].map((stored) =>
    [formatValue(Number(convert?.(stored) ?? stored)), names.unitOf(field)].filter(Boolean).join(' '),
  );
  return w[isOver ? 'pastAlarm' : 'alarm'](
    groupName([well], names),
    names.field(field).line,
    value ?? '',
    side,
    limit ?? '',
  );
}

/** The maximum number of alarms in a notification. */
const maxSentences = 5;
const maxCharacters = 2000;
/** How long an alarm waits for the units of its values. */
const maxUnitsMs = 5000;

/** Alarms as lines, and how many further ones there are. */
export function alarmTexts(alarms: readonly LimitAlarm[], names: PlotNames, changes: UnitChanges): string {
  const texts = alarms.slice(0, maxSentences).map((alarm) => alarmText(alarm, names, changes));
  return [...texts, ...(alarms.length > maxSentences ? [w.more(alarms.length - maxSentences)] : [])].join(
    '\n',
  );
}

/**
 * Shows a notification of the system, by the browser where it may, else by the application.
 * @param news the alarms that came, or why the limits are watched no more
 * @param isInView whether the view is: it announces them itself if its window is in front
 */
export async function notifyOfLimits(
  { app, connection, wells, signal }: Session,
  dataset: DatasetAddress,
  news: readonly LimitAlarm[] | AppError,
  isInView: boolean,
): Promise<void> {
  const system = systemNotices();
  if (isInView && (system?.isInFront() ?? true)) return;
  const { settings, fields } = app;
  const key = { connection, address: addressOf(dataset) };
  // A tab that wasn't in view hasn't loaded its units.
  if (!(news instanceof AppError) && valueOr(fields.get(key), null) === null)
    await Promise.race([fields.load(key), delay(maxUnitsMs, signal)]);
  if (signal.aborted) return;
  const { values, stored } = settings.store.getState();
  const units = valueOr(fields.get(key), null)?.units ?? new Map<string, string>();
  const changes = unitChanges(units, values.units);
  const listed = listedWells(wells.store.getState()).labels;
  const asStored: PlotNames = {
    field: fieldNamesNow(app, dataset),
    unitOf: (field) => units.get(field),
    wellName: (assetId) => listed.get(assetId),
  };
  const names = shownNames(asStored, changes, synonymsOf(stored.channelNames));
  const body =
    news instanceof AppError
      ? words.live.stoppedWhy(news.message, news.is('invalid_input'))
      : alarmTexts(news, names, changes);
  // Each has a subject of its own: a notification that only replaces another makes no sound.
  if (system?.permission() === 'granted') system.notify(w.title, body, `live-limits ${Date.now()}`);
  else
    app.api.workspace.notify({ title: w.title, body: body.slice(0, maxCharacters) }).catch(() => undefined);
}
