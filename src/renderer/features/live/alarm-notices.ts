import { AppError } from '../../../shared/errors/errors.ts';
import { systemNotices } from '../../api/system-notices.ts';
import type { Session } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { fieldName, groupName, type PlotNames } from '../plot/names.ts';
import { listedWells } from '../wells/wells-state.ts';
import type { LimitAlarm } from './limits.ts';

const w = words.live.limits;

/** The sentences of alarms, with the names of wells and channels. */
export const alarmText = ({ well, field, side, isOver }: LimitAlarm, names: PlotNames): string =>
  w[isOver ? 'pastAlarm' : 'alarm'](groupName([well], names), fieldName(field, names), w.sides[side]);

/**
 * Shows a notification of the system, by the browser where it may, else by the application.
 * @param session of the live view
 * @param news the alarms that came, or why the limits are watched no more
 * @param isInView whether the view is: it announces them itself if its window is in front
 */
export function notifyOfLimits(
  { app, wells }: Session,
  news: readonly LimitAlarm[] | AppError,
  isInView: boolean,
): void {
  const system = systemNotices();
  if (isInView && (system?.isInFront() ?? true)) return;
  const listed = listedWells(wells.store.getState()).names;
  const names: PlotNames = { unitOf: () => undefined, wellName: (assetId) => listed.get(assetId) };
  const body =
    news instanceof AppError
      ? words.live.stoppedWhy(news.message)
      : news
          .slice(0, maxSentences)
          .map((alarm) => alarmText(alarm, names))
          .join('\n');
  // Each has a subject of its own: a notification that only replaces another makes no sound.
  if (system?.permission() === 'granted') system.notify(w.title, body, `live-limits ${Date.now()}`);
  else
    app.api.workspace.notify({ title: w.title, body: body.slice(0, maxCharacters) }).catch(() => undefined);
}

/** The maximum number of alarms in a notification. */
const maxSentences = 5;
const maxCharacters = 2000;
