import { useMemo, useEffect, useState, lazy, Suspense, useRef } from 'react';
import { useStore } from 'zustand';
import { datasetName, depthPath, logPaths, scopeFieldOf } from '../../../shared/datasets/datasets.ts';
import { tryRelaxed } from '../../../shared/language/relaxed.ts';
import { conditionOn } from '../../../shared/language/text/conditions.ts';
import { Empty, Failed, Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { DatasetPlot } from '../plot/dataset-plot.tsx';
import { resolveZone, type WellZones } from '../../format/time-view.ts';
import { assetIdsOf, useWellZones } from '../results/times/use-well-zones.ts';
import {
  type TimeZone,
  cellConverter,
  type UnitChanges,
  columnConverter,
  storedConverter,
  namedHeads,
} from '../records/shown-cells.ts';
import { type LiveTab, maxRecords, silenceOf, type StreamState } from './live-tab.ts';
import '../results/results.css';
import './live.css';
import { ArrowDown, ArrowUp, CircleAlert, LoaderCircle, Pause, Play, Radio, RefreshCw } from 'lucide-react';
import { useSession, useAppState, useSessionState } from '../../contexts.ts';
import { compareNames } from '../../format/order.ts';
import { minuteMs, useTimeOfDay } from '../../state/use-now.ts';
import { Status } from '../../ui/status.tsx';
import { WellDot } from '../../ui/well-dot.tsx';
import { groupName, type PlotNames, fieldName } from '../plot/names.ts';
import { useShownUnits } from '../plot/use-names.ts';
import { alarmText, alarmKey, limitPassed, type LiveLimits } from './limits.ts';
import type { LatestOfWell, LatestValue } from './latest-values.ts';
import { agoText, newestText } from './newest-text.ts';
import { systemNotices } from '../../api/system-notices.ts';
import { inputText, typedNumber, formatCount, formatValue } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { Popup } from '../../ui/popup.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { addressText } from '../datasets/search.ts';
import { formatDuration, formatElapsed } from '../../format/times.ts';
import { Alert } from '../../ui/alert.tsx';
import { SelectBox } from '../../ui/select-box.tsx';
import { ViewSelect, GridWithPanel } from '../results/view-parts.tsx';
import { ZoneBox } from '../results/times/zone-box.tsx';
import { DataGrid, type GridControl } from '../../ui/grid/index.ts';
import { isObject, type JsonValue } from '../../../shared/json.ts';
import { listedWells } from '../wells/wells-state.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { loaded } from '../../state/loadable.ts';
import { useStable } from '../../state/use-stable.ts';
import { gridColumns } from '../results/grid-columns.ts';
import { useStableColumns } from '../results/use-records.ts';

// Loaded on demand.
const RecordDetail = lazy(() =>
  import('../results/record-detail.tsx').then((module) => ({ default: module.RecordDetail })),
);

/** A selected record by its position among all received: its row changes with each new record. */
interface SelectedRecord {
  readonly place: number;
  readonly record: JsonValue;
}

function useLiveColumns({ records, subject }: LiveTab, zone: TimeZone) {
  const system = useAppState('settings', (state) => state.values.units);
  const numbers = useAppState('settings', ({ values }) => values.numbers);
  const hidesAssets = useAppState('settings', ({ values }) => values.names === 'plain');
  const wellNames = useSessionState('wells', listedWells).labels;
  const recordHeads = records.columns();
  const heads = useStableColumns(namedHeads(recordHeads, wellNames.size > 0, hidesAssets));
  const fields = useMemo(() => heads.map(({ path }) => pathId(path)), [heads]);
  const { stored, changes } = useShownUnits(subject.dataset, fields);
  const { unitOf, field: names } = stored;
  const shown = useMemo(() => ({ zone, names, wellNames, changes }), [zone, names, wellNames, changes]);
  const columns = useMemo(() => {
    const units = { get: unitOf };
    return gridColumns({ ...shown, heads, first: records, units, hasSystem: system !== 'stored', numbers });
  }, [records, shown, heads, unitOf, system, numbers]);
  return { columns, shown, unitOf };
}

/** In the order in which the records came, the last one first. */
function LiveGrid({ tab, zone }: { tab: LiveTab; zone: TimeZone }) {
  const { records, subject, store } = tab;
  const kept = useStore(store, (state) => state.kept);
  const received = useStore(store, (state) => state.kept + state.dropped);
  const control = useRef<GridControl>(null);
  const [selected, setSelected] = useState<SelectedRecord | null>(null);
  const [message, setMessage] = useState('');
  const select = (row: number | null) => {
    const record = row === null ? undefined : records.record(row);
    setSelected(row === null || record === undefined ? null : { place: received - 1 - row, record });
    setMessage('');
  };
  const source = useMemo(() => ({ loadedRow: (row: number) => ({ block: records, at: row }) }), [records]);
  // All rows change when a record arrives.
  useEffect(() => store.subscribe(() => control.current?.reload()), [store]);
  const { columns, shown, unitOf } = useLiveColumns(tab, zone);
  return (
    <div className="fill">
      <GridWithPanel
        panel={
          selected && (
            <RecordDetail
              key={selected.place}
              record={loaded(selected.record)}
              shown={shown}
              unitOf={unitOf}
              name={words.live.record(selected.place + 1)}
              onClose={() => setSelected(null)}
              onNotice={setMessage}
            />
          )
        }
      >
        <Suspense fallback={<Loading what={words.results.loadingGrid} />}>
          <DataGrid
            ref={control}
            label={words.results.grid(datasetName(subject.dataset))}
            columns={columns}
            source={source}
            rows={kept}
            // The record stays selected as its row moves.
            selected={selected && received - 1 - selected.place}
            onSelect={select}
          />
        </Suspense>
      </GridWithPanel>
      <Status className="visually-hidden">{message}</Status>
    </div>
  );
}

const intervals = [2000, 5000, 10_000, 30_000, 60_000, 300_000];
const views = ['table', 'plot'] as const;

/** Whether a query names one well and one log. */
const isOfOneLog = (query: string): boolean =>
  logPaths.every((path) => {
    const condition = conditionOn(query, path);
    const value = condition.kind === 'found' ? tryRelaxed(condition.value) : undefined;
    const values = [isObject(value) ? (value['$eq'] ?? value['$in']) : value].flat();
    return values.length === 1 && ['string', 'number'].includes(typeof values[0]);
  });

function LiveBar({ tab, wells }: { tab: LiveTab; wells: WellZones }) {
  const { actions, subject, store } = tab;
  const { stream, everyMs, kept, dropped, view, zone, isPickingZone } = useStore(store);
  const silentMs = silenceOf(useStore(store), useTimeOfDay(1000));
  const isOfSeveral = useMemo(() => subject.field === depthPath && !isOfOneLog(subject.query), [subject]);
  const isRunning = stream.status !== 'paused' && stream.status !== 'stopped';
  const options = [...new Set([...intervals, everyMs])]
    .sort((a, b) => a - b)
    .map((ms) => ({ id: String(ms), text: words.live.every(ms / 1000) }));
  return (
    <>
      <div className="live-bar toolbar wrap">
        <ViewSelect value={view} of={views} onChange={actions.setView} />
        <StatusMark status={stream} silentMs={silentMs} />
        <span className="live-reach numbers grow-text ellipsis">
          {words.results.records(kept)}
          {dropped > 0 && <span className="quiet"> · {words.live.dropped(maxRecords)}</span>}
          <NewestAge tab={tab} isSilent={silentMs !== null} />
        </span>
        <span className="small live-source" title={addressText(subject.dataset)}>
          {datasetName(subject.dataset)}
        </span>
        <SelectBox
          label={words.live.pace}
          value={String(everyMs)}
          options={options}
          onChange={(ms) => actions.setInterval(Number(ms))}
        />
        <ZoneBox
          value={zone}
          wells={wells}
          onChange={actions.show}
          isPicking={isPickingZone}
          onPick={actions.pickZone}
        />
        {(silentMs !== null || stream.status === 'retrying') && (
          <Button icon={RefreshCw} onPress={actions.retry}>
            {words.live.retry}
          </Button>
        )}
        {isRunning ? (
          <Button icon={Pause} onPress={actions.pause}>
            {words.live.pause}
          </Button>
        ) : (
          <Button icon={Play} variant="primary" onPress={actions.resume}>
            {words.live.resume}
          </Button>
        )}
      </div>
      {isOfSeveral && (
        <Alert isStrip tone="warning">
          {words.live.oneLog}
        </Alert>
      )}
      {stream.status === 'stopped' && (
        <Alert isStrip tone="error">
          {words.live.stoppedWhy(stream.error.message, kept > 0 && stream.error.is('invalid_input'))}
        </Alert>
      )}
      {stream.status === 'retrying' && (
        <Alert isStrip tone="warning">
          {stream.error.message}
        </Alert>
      )}
    </>
  );
}

const icons = {
  starting: LoaderCircle,
  following: Radio,
  paused: Pause,
  retrying: CircleAlert,
  stopped: CircleAlert,
};

interface StatusMarkProps {
  readonly status: StreamState;
  /** For how long the service hasn't answered, in milliseconds; null: it has. */
  readonly silentMs: number | null;
}

function StatusMark({ status, silentMs }: StatusMarkProps) {
  if (silentMs !== null)
    return (
      <span className="row gap-1 tone-warning numbers">
        <CircleAlert size={14} aria-hidden />
        {/* Screen readers should not read an update each second. */}
        <Status className="visually-hidden">{words.live.isSilent}</Status>
        <span aria-hidden>{words.live.silent(formatDuration(silentMs))}</span>
      </span>
    );
  const Icon = icons[status.status];
  return (
    <Status className="row gap-1 state" data-state={status.status}>
      <Icon size={14} aria-hidden />
      {status.status === 'paused'
        ? words.live.paused[status.why]
        : status.status === 'retrying'
          ? words.live.nextTry(formatElapsed(status.nextTryMs))
          : words.live.status[status.status]}
    </Status>
  );
}

function NewestAge({ tab, isSilent }: { tab: LiveTab; isSilent: boolean }) {
  const newest = useStore(tab.store, (state) => state.newest);
  const answeredAt = useStore(tab.store, (state) => state.answeredAt);
  const now = useTimeOfDay(1000);
  const { field } = tab.subject;
  return (
    <span className="quiet">
      {newest !== null && ` · ${newestText(newest, field, now)}`}
      {answeredAt !== null && !isSilent && ` · ${words.live.answered(agoText(answeredAt, now))}`}
    </span>
  );
}

const limitsWords = words.live.limits;

interface LimitsPopupProps {
  readonly tab: LiveTab;
  readonly field: string;
  readonly names: PlotNames;
  readonly changes: UnitChanges;
}

function LimitsPopup({ tab, field, names, changes }: LimitsPopupProps) {
  const name = names.field(field).line;
  const unit = names.unitOf(field) ?? '';
  return (
    <>
      <Popup
        heading={limitsWords.open(name)}
        trigger={{
          size: 'small',
          'aria-label': limitsWords.open(fieldName(field, names)),
          children: name,
        }}
      >
        {(close) => (
          <LimitsForm key={unit} tab={tab} field={field} unit={unit} changes={changes} onDone={close} />
        )}
      </Popup>
      <span className="live-unit quiet">{unit}</span>
    </>
  );
}

/** A browser asks the user once, and only after an action of theirs. */
function askForNotices(): void {
  const system = systemNotices();
  if (system?.permission() === 'default') void system.requestPermission();
}

interface LimitsFormProps extends Pick<LimitsPopupProps, 'tab' | 'field' | 'changes'> {
  readonly unit: string;
  readonly onDone: () => void;
}

function LimitsForm({ tab, field, unit, changes, onDone }: LimitsFormProps) {
  const limits = useStore(tab.store, (state) => state.limits[field]);
  const toShown = columnConverter(changes, field);
  const toStored = storedConverter(changes, field);
  const shown = (value: number | null | undefined): string =>
    value == null ? '' : inputText(Number((toShown?.(value) ?? value).toPrecision(8)));
  const [texts, setTexts] = useState({ min: shown(limits?.min), max: shown(limits?.max) });
  const [min, max] = [typedNumber(texts.min), typedNumber(texts.max)];
  const stored = (value: number | null) => (value === null ? null : (toStored?.(value) ?? value));
  const isReversed = min != null && max != null && min > max;
  const canSet = min !== undefined && max !== undefined && !isReversed;
  const set = () => {
    if (!canSet) return;
    const isEmpty = min === null && max === null;
    tab.actions.setLimits(field, isEmpty ? null : { min: stored(min), max: stored(max) });
    if (!isEmpty) askForNotices();
    onDone();
  };
  return (
    <Form className="stack" onSubmit={set}>
      <p className="quiet">{limitsWords.text}</p>
      {(['min', 'max'] as const).map((side) => (
        <TextField
          key={side}
          label={limitsWords[side](unit)}
          name={side}
          value={texts[side]}
          inputMode="decimal"
          onChange={(text) => setTexts({ ...texts, [side]: text })}
          problem={
            typedNumber(texts[side]) === undefined
              ? limitsWords.problem()
              : side === 'max' && isReversed
                ? limitsWords.reversed
                : undefined
          }
        />
      ))}
      <div className="row">
        <Button type="submit" variant="primary" isDisabled={!canSet}>
          {limitsWords.set}
        </Button>
        {limits && (
          <Button
            onPress={() => {
              tab.actions.setLimits(field, null);
              onDone();
            }}
          >
            {limitsWords.remove}
          </Button>
        )}
      </div>
    </Form>
  );
}

const w = words.live;

const isSameList = (last: readonly string[], list: readonly string[]): boolean =>
  list.length === last.length && list.every((text, at) => text === last[at]);

function LatestTable({ tab }: { tab: LiveTab }) {
  const { latest, subject, store } = tab;
  const version = useStore(store, (state) => state.version);
  const limits = useStore(store, (state) => state.limits);
  const { dataset } = subject;
  const wells = useMemo(() => ({ version, of: latest.wells() }).of, [latest, version]);
  const fields = wells.flatMap(({ values }) => values.map(({ field }) => field));
  const channels = useStable<readonly string[]>([...new Set(fields)], isSameList);
  const { names, changes } = useShownUnits(dataset, channels);
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
      <section className="live-latest flex-none faint-below scroll" aria-label={w.latest} tabIndex={0}>
        <table className="sticky-head numbers">
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
      <Alarms tab={tab} names={names} changes={changes} />
    </>
  );
}

/** The alarms that came last are announced. */
function Alarms({ tab, names, changes }: { tab: LiveTab; names: PlotNames; changes: UnitChanges }) {
  const alarms = useStore(tab.store, (state) => state.alarms);
  const announced = useStore(tab.store, (state) => state.announced);
  return (
    <>
      {alarms.length > 0 && (
        <ul className="live-alarms pad-y-1 pad-x-3 flex-none scroll tone-error">
          {alarms.map((alarm) => (
            <li key={alarmKey(alarm)}>
              <span>{alarmText(alarm, names, changes)}</span> <LateAge at={alarm.at} />
            </li>
          ))}
        </ul>
      )}
      <Status className="visually-hidden">
        {announced.map((alarm) => alarmText(alarm, names, changes)).join(' ')}
      </Status>
    </>
  );
}

/** A rig that sends each second is late after a minute, and silent after ten. */
const ageLimitsMs = { late: minuteMs, silent: 10 * minuteMs };

function Age({ at }: { at: number | null }) {
  const now = useTimeOfDay(1000);
  const age = now - (at ?? 0);
  const freshness =
    at === null ? 'unknown' : age > ageLimitsMs.silent ? 'silent' : age > ageLimitsMs.late ? 'late' : 'fresh';
  return (
    <span className="row gap-1">
      <span className="live-dot flex-none" data-age={freshness} aria-hidden />
      <span className="visually-hidden">{w.ages[freshness]}</span>
      {at === null ? '' : agoText(at, now)}
    </span>
  );
}

function LateAge({ at }: { at: number | null }) {
  const now = useTimeOfDay(1000);
  if (at === null || now - at <= ageLimitsMs.late) return null;
  return <span className="live-value-age quiet small">{agoText(at, now)}</span>;
}

const shownText = (value: number | bigint): string =>
  typeof value === 'bigint' ? formatCount(value) : formatValue(value);

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
  const side = limitPassed(limits[field], value)?.side ?? null;
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
      {shownText(cellConverter(changes, field)?.(value) ?? value)}
      {isOld && <LateAge at={at} />}
    </td>
  );
}

export default function LiveTabView({ tab }: { tab: LiveTab }) {
  const wells = useLiveZones(tab);
  const times = useStore(tab.store, (state) => state.zone);
  const hasRecords = useStore(tab.store, (state) => state.kept > 0);
  return (
    <section className="live-tab stack gap-0 full surface" aria-label={words.live.region}>
      <LiveBar tab={tab} wells={wells} />
      {hasRecords && <LatestTable tab={tab} />}
      <Body tab={tab} zone={resolveZone(times, wells)} />
    </section>
  );
}

/** The number of newest records that determine the wells. */
const maxZoneRecords = 200;

function useLiveZones({ store, records, subject }: LiveTab): WellZones {
  const path = scopeFieldOf(subject.dataset.type);
  // As text: the array is new with each record, the wells rarely change.
  const assetIds = useStore(store, ({ kept }) => {
    const cells = Array.from({ length: Math.min(kept, maxZoneRecords) }, (_, row) => records.cell(path, row));
    return assetIdsOf(cells, subject.query, path).join(' ');
  });
  const assets = useMemo(() => (assetIds === '' ? [] : assetIds.split(' ').map(Number)), [assetIds]);
  return useWellZones(assets);
}

function Body({ tab, zone }: { tab: LiveTab; zone: TimeZone }) {
  const kept = useStore(tab.store, (state) => state.kept);
  const status = useStore(tab.store, (state) => state.stream);
  const view = useStore(tab.store, (state) => state.view);
  const hasAnswered = useStore(tab.store, (state) => state.answeredAt !== null);
  if (kept > 0)
    return view === 'plot' ? <LivePlot tab={tab} zone={zone} /> : <LiveGrid tab={tab} zone={zone} />;
  if (status.status === 'stopped') return <Failed error={status.error} onRetry={tab.actions.resume} />;
  if (status.status === 'starting')
    return <Loading what={words.live.starting(datasetName(tab.subject.dataset))} />;
  return <Empty>{hasAnswered ? words.live.none : words.live.noAnswer}</Empty>;
}

function LivePlot({ tab, zone }: { tab: LiveTab; zone: TimeZone }) {
  const { dataset, query } = tab.subject;
  const version = useStore(tab.store, (state) => state.version);
  const limits = useStore(tab.store, (state) => state.limits);
  const source = useMemo(() => ({ version, ...tab.records.source() }), [tab, version]);
  return (
    <DatasetPlot
      dataset={dataset}
      plot={tab.plot}
      timeKind="panels"
      limits={limits}
      source={source}
      zone={zone}
      conditions={query}
    />
  );
}
