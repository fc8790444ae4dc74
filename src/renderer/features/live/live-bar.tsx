import { CircleAlert, LoaderCircle, Pause, Play, Radio, RefreshCw } from 'lucide-react';
import { useStore } from 'zustand';
import { addressText } from '../datasets/search.ts';
import { datasetName } from '../../../shared/datasets/datasets.ts';
import { formatDuration, formatElapsed } from '../../format/times.ts';
import { useTimeOfDay } from '../../state/use-now.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectBox } from '../../ui/select-box.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { ViewSelect } from '../results/view-select.tsx';
import type { WellZones } from '../results/times/well-zones.ts';
import { ZoneBox } from '../results/times/zone-box.tsx';
import { maxRecords, silenceOf, type LiveTab, type StreamState } from './live-tab.ts';
import { agoText, newestText } from './newest-text.ts';

const intervals = [2000, 5000, 10_000, 30_000, 60_000, 300_000];
const views = ['table', 'plot'] as const;

/** The state of the stream, and its controls. */
export function LiveBar({ tab, wells }: { tab: LiveTab; wells: WellZones }) {
  const { actions, subject, store } = tab;
  const { stream, everyMs, kept, dropped, view, zone, isPickingZone } = useStore(store);
  const silentMs = silenceOf(useStore(store), useTimeOfDay(1000));
  const isRunning = stream.status !== 'paused' && stream.status !== 'stopped';
  const options = [...new Set([...intervals, everyMs])]
    .sort((a, b) => a - b)
    .map((ms) => ({ id: String(ms), text: words.live.every(ms / 1000) }));
  return (
    <>
      <div className="live-bar">
        <ViewSelect value={view} of={views} onChange={actions.setView} />
        <StatusMark status={stream} silentMs={silentMs} />
        <span className="numbers live-reach ellipsis">
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
      {stream.status === 'stopped' && (
        <Alert isStrip tone="error">
          {words.live.stoppedWhy(stream.error.message)}
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
      <span className="live-status live-retrying numbers">
        <CircleAlert size={14} aria-hidden />
        {/* Screen readers should not read an update each second. */}
        <Status className="visually-hidden">{words.live.isSilent}</Status>
        <span aria-hidden>{words.live.silent(formatDuration(silentMs))}</span>
      </span>
    );
  const Icon = icons[status.status];
  return (
    <Status className={`live-status live-${status.status}`}>
      <Icon size={14} aria-hidden />
      {status.status === 'paused'
        ? words.live.paused[status.why]
        : status.status === 'retrying'
          ? words.live.nextTry(formatElapsed(status.nextTryMs))
          : words.live.status[status.status]}
    </Status>
  );
}

/** The age of the newest record and of the last response. */
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
