import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useSession } from '../../contexts.ts';
import { compareNames } from '../../format/order.ts';
import { minuteMs, useTimeOfDay } from '../../state/use-now.ts';
import { Status } from '../../ui/status.tsx';
import { WellDot } from '../../ui/well-dot.tsx';
import { words } from '../../words/words.ts';
import { groupName, type PlotNames } from '../plot/names.ts';
import { useShownUnits } from '../plot/use-names.ts';
import { cellConverter, type UnitChanges } from '../records/unit-changes.ts';
import { alarmText } from './alarm-notices.ts';
import { LimitsPopup } from './limits-popup.tsx';
import { alarmKey, limitSide, type LiveLimits } from './limits.ts';
import type { LatestOfWell, LatestValue } from './latest-values.ts';
import type { LiveTab } from './live-tab.ts';
import { agoText } from './newest-text.ts';

const w = words.live;

/** The distinct texts of a list; the same array until they change. */
function useStableList(list: readonly string[]): readonly string[] {
  const [stable, setStable] = useState<readonly string[]>([]);
  const distinct = [...new Set(list)];
  const isSame = distinct.length === stable.length && distinct.every((text, at) => text === stable[at]);
  if (!isSame) setStable(distinct);
  return isSame ? stable : distinct;
}

/** The last value of each channel: wells in rows, channels in columns. */
export function LatestTable({ tab }: { tab: LiveTab }) {
  const { latest, subject, store } = tab;
  const version = useStore(store, (state) => state.version);
  const limits = useStore(store, (state) => state.limits);
  const { dataset, connection } = subject;
  const wells = useMemo(() => ({ version, of: latest.wells() }).of, [latest, version]);
  const channels = useStableList(wells.flatMap(({ values }) => values.map((value) => value.field)));
  const { names, changes } = useShownUnits(connection, dataset, channels);
  const { noteRecords } = useSession().wells.actions;
  useEffect(
    () => noteRecords(wells.flatMap(({ well, at }) => (at === null ? [] : [[Number(well), at] as const]))),
    [noteRecords, wells],
  );
  const nameOf = ({ well }: LatestOfWell) => groupName([well], names);
  const rows = wells.toSorted((a, b) => compareNames(nameOf(a), nameOf(b)));
  const hasStates = wells.some(({ state }) => state !== null);
  return (
    <>
      {/* oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
      <section className="live-latest numbers" aria-label={w.latest} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{w.well}</th>
              <th scope="col">{w.age}</th>
              {hasStates && (
                <th scope="col" className="live-rig-state">
                  {w.state}
                </th>
              )}
              {channels.map((channel) => (
                <th key={channel} scope="col" className="end">
                  <LimitsPopup tab={tab} field={channel} names={names} changes={changes} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((well) => (
              <tr key={well.well}>
                <th scope="row">
                  <span className="row gap-1">
                    <WellDot assetId={well.well} />
                    {nameOf(well)}
                  </span>
                </th>
                <td>
                  <Age at={well.at} />
                </td>
                {hasStates && <td className="live-rig-state">{well.state ?? ''}</td>}
                {channels.map((channel) => (
                  <ValueCell
                    key={channel}
                    latest={well.values.find((value) => value.field === channel)}
                    limits={limits}
                    changes={changes}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Alarms tab={tab} names={names} />
    </>
  );
}

/** The channels that are beyond their limits; those that came last are announced. */
function Alarms({ tab, names }: { tab: LiveTab; names: PlotNames }) {
  const alarms = useStore(tab.store, (state) => state.alarms);
  const announced = useStore(tab.store, (state) => state.announced);
  return (
    <>
      {alarms.length > 0 && (
        <ul className="live-alarms">
          {alarms.map((alarm) => (
            <li key={alarmKey(alarm)}>
              <span>{alarmText(alarm, names)}</span> <LateAge at={alarm.at} />
            </li>
          ))}
        </ul>
      )}
      <Status className="visually-hidden">
        {announced.map((alarm) => alarmText(alarm, names)).join(' ')}
      </Status>
    </>
  );
}

/** A rig that sends each second is late after a minute, and silent after ten. */
const ageLimitsMs = { late: minuteMs, silent: 10 * minuteMs };

/** The age of a well's newest record, as a dot with words. */
function Age({ at }: { at: number | null }) {
  const now = useTimeOfDay(1000);
  const age = now - (at ?? 0);
  const freshness =
    at === null ? 'unknown' : age > ageLimitsMs.silent ? 'silent' : age > ageLimitsMs.late ? 'late' : 'fresh';
  return (
    <span className="row gap-1">
      <span className="live-dot" data-age={freshness} aria-hidden />
      <span className="visually-hidden">{w.ages[freshness]}</span>
      {at === null ? '' : agoText(at, now)}
    </span>
  );
}

/** The age of a value that is late; nothing for a current one. */
function LateAge({ at }: { at: number | null }) {
  const now = useTimeOfDay(1000);
  if (at === null || now - at <= ageLimitsMs.late) return null;
  return <span className="live-value-age">{agoText(at, now)}</span>;
}

interface ValueCellProps {
  readonly latest: LatestValue | undefined;
  readonly limits: LiveLimits;
  readonly changes: UnitChanges;
}

function ValueCell({ latest, limits, changes }: ValueCellProps) {
  if (!latest)
    return (
      <td className="end quiet">
        <span aria-hidden>–</span>
        <span className="visually-hidden">{w.noValue}</span>
      </td>
    );
  const { field, value, at, isOld } = latest;
  const side = limitSide(limits[field], value);
  const Icon = side === 'above' ? ArrowUp : ArrowDown;
  return (
    <td
      className={isOld ? 'end quiet' : 'end'}
      title={isOld ? w.old : undefined}
      data-limit={side ?? undefined}
    >
      {side && (
        <>
          <Icon size={12} aria-hidden />
          <span className="visually-hidden">{w.limits.sides[side]}</span>
        </>
      )}{' '}
      {String(cellConverter(changes, field)?.(value) ?? value)}
      {isOld && <LateAge at={at} />}
    </td>
  );
}
