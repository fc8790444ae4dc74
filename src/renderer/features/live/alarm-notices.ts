import { addressOf, type DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { systemNotices } from '../../api/system-notices.ts';
import type { Session } from '../../contexts.ts';
import { valueOr } from '../../state/loadable.ts';
import { formatDepth } from '../../format/numbers.ts';
import { words } from '../../words/words.ts';
import { groupName, type PlotNames } from '../plot/names.ts';
import { fieldNamesNow } from '../datasets/use-field-names.ts';
import { cellConverter, changedUnit, unitChanges, type UnitChanges } from '../records/shown-cells.ts';
import { listedWells } from '../wells/wells-state.ts';
import type { LimitAlarm } from './limits.ts';

const w = words.live.limits;

/** An alarm as a sentence, with its value and its limit in the unit in which the channel is shown. */
export function alarmText(alarm: LimitAlarm, names: PlotNames, changes: UnitChanges): string {
  const { well, field, side, isOver } = alarm;
  const convert = cellConverter(changes, field);
  const [value, limit] = [alarm.value, alarm.limit].map((stored) =>
    [formatDepth(Number(convert?.(stored) ?? stored)), names.unitOf(field)].filter(Boolean).join(' '),
  );
  return w[isOver ? 'pastAlarm' : 'alarm'](
    groupName([well], names),
    names.field(field).line,
    value ?? '',
    side,
    limit ?? '',
  );
}

/**
 * Shows a notification of the system, by the browser where it may, else by the application.
 * @param session of the live view
 * @param dataset whose fields they are
 * @param news the alarms that came, or why the limits are watched no more
 * @param isInView whether the view is: it announces them itself if its window is in front
 */
export function notifyOfLimits(
  { app, connection, wells }: Session,
  dataset: DatasetAddress,
  news: readonly LimitAlarm[] | AppError,
  isInView: boolean,
): void {
  const system = systemNotices();
  if (isInView && (system?.isInFront() ?? true)) return;
  const listed = listedWells(wells.store.getState()).names;
  const { fields, settings } = app;
  const units =
    valueOr(fields.get({ connection, address: addressOf(dataset) }), null)?.units ??
    new Map<string, string>();
  const changes = unitChanges(units, settings.store.getState().values.units);
  const names: PlotNames = {
    field: fieldNamesNow(app, dataset),
    unitOf: (field) => changedUnit(changes, field) ?? units.get(field),
    wellName: (assetId) => listed.get(assetId),
  };
  const body =
    news instanceof AppError
      ? words.live.stoppedWhy(news.message)
      : news
          .slice(0, maxSentences)
          .map((alarm) => alarmText(alarm, names, changes))
          .join('\n');
  // Each has a subject of its own: a notification that only replaces another makes no sound.
  if (system?.permission() === 'granted') system.notify(w.title, body, `live-limits ${Date.now()}`);
  else
    app.api.workspace.notify({ title: w.title, body: body.slice(0, maxCharacters) }).catch(() => undefined);
}

/** The maximum number of alarms in a notification. */
const maxSentences = 5;
const maxCharacters = 2000;
