import { useEffect, useMemo, useState, memo, useId } from 'react';
import { useStore } from 'zustand';
import { pageStatus } from '../../api/page-status.ts';
import { useSession, useSessionState } from '../../contexts.ts';
import { delay } from '../../state/follow-stream.ts';
import { valueOr } from '../../state/loadable.ts';
import { minuteMs, useTimeOfDay } from '../../state/use-now.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { agoText } from '../live/newest-text.ts';
import { useSynonyms } from '../settings/use-synonyms.ts';
import { listedWells } from '../wells/wells-state.ts';
import {
  createActiveWells,
  datasetsOfCards,
  isSameSubject,
  wellsWithCards,
  type ActiveWells,
  type CardSubject,
} from './active-wells.ts';
import { recordOfCard, rigState, valueOnCard, type FieldValue, type NewestRecord } from './newest-records.ts';
import './home.css';
import { Radio } from 'lucide-react';
import type { ScopedWell } from '../../../shared/wells/wells.ts';
import { formatDepth, formatValue } from '../../format/numbers.ts';
import { formatAgo } from '../../format/times.ts';
import { WellDot } from '../../ui/well-dot.tsx';
import { openLiveOfWell } from '../live/live-kind.ts';
import { WellNotes } from '../notes/notes.tsx';
import { useShownUnits } from '../plot/use-names.ts';
import { openDataset } from '../query/open-query.ts';
import { cellConverter } from '../records/shown-cells.ts';
import { openWell } from '../sidebar/open-well.ts';

const w = words.home;

/** The page without tabs. */
export default function HomeView() {
  return (
    <KeepFocus className="home stack gap-6 full scroll">
      <ActiveWellCards />
      <section className="max-text stack gap-3">
        <h2 className="large">{w.emptyHeading}</h2>
        <ol className="stack">
          {w.emptySteps.map((step, at) => (
            <li key={step} className="row items-stretch gap-3">
              <span className="step-number center flex-none quiet small numbers" aria-hidden>
                {at + 1}
              </span>
              {step}
            </li>
          ))}
        </ol>
        <p className="quiet">{w.emptyUpload}</p>
      </section>
    </KeepFocus>
  );
}

/** The wells with a card and the datasets that are read for them; the same object while they are the same ones. */
function useCardSubject(): CardSubject & { readonly datasetCount: number } {
  const listed = useSessionState('wells', listedWells);
  const pinned = useSessionState('wells', (state) => state.pinned);
  const isListLoading = useSessionState('datasets', (state) => state.freshness.isLoading);
  const list = useSessionState('datasets', (state) => state.list);
  const wells = useMemo(() => wellsWithCards(listed.wells, pinned), [listed, pinned]);
  const datasets = useMemo(() => (isListLoading ? [] : valueOr(list, [])), [isListLoading, list]);
  const read = useMemo(() => datasetsOfCards(datasets), [datasets]);
  return useMemo(
    () => ({ wells, datasets: read, datasetCount: datasets.filter(({ type }) => type === 'time').length }),
    [wells, read, datasets],
  );
}

function useActiveWells(subject: CardSubject): ActiveWells {
  const { app, connection } = useSession();
  const [model] = useState(() =>
    createActiveWells({ api: app.api, connection, page: pageStatus, now: Date.now, wait: delay }),
  );
  const [followed, setFollowed] = useState(subject);
  if (!isSameSubject(followed, subject)) setFollowed(subject);
  useEffect(() => model.actions.follow(followed), [model, followed]);
  return model;
}

function ActiveWellCards() {
  const subject = useCardSubject();
  const isWellsLoading = useSessionState(
    'wells',
    ({ list }) => list.status === 'loading' || list.status === 'idle',
  );
  const datasetList = useSessionState('datasets', ({ freshness, list }) =>
    freshness.isLoading ? 'loading' : list.status,
  );
  const model = useActiveWells(subject);
  const { wells, datasets, datasetCount } = subject;
  const { newest, readAt, isLate, isOffline, error, unread } = useStore(model.store);
  const { noteRecords } = useSession().wells.actions;
  const synonyms = useSynonyms();
  useEffect(
    () =>
      noteRecords(
        [...newest].flatMap(([assetId, [record]]) => (record ? [[assetId, record.at] as const] : [])),
      ),
    [noteRecords, newest],
  );
  if (wells.length === 0) return isWellsLoading && <Status className="quiet">{w.loadingWells}</Status>;
  const readCount = Math.max(0, datasets.length - unread);
  const isListFailed = datasetList === 'failed';
  const hasNoDatasets = datasetList === 'loaded' && datasets.length === 0;
  return (
    <section className="stack gap-3" aria-label={w.active}>
      <header className="active-wells-head row wrap">
        <h2 className="large">{w.active}</h2>
        <span className="quiet small">
          {w.activeNote(wells.length)}
          {readAt !== null && <UpdatedAge at={readAt} />}
        </span>
      </header>
      {isOffline && <Status className="quiet">{w.offline}</Status>}
      {(isLate || error !== null) && !isOffline && (
        <Alert tone="warning" actions={<Button onPress={model.actions.retry}>{words.tryAgain}</Button>}>
          {error?.message ?? w.late}
        </Alert>
      )}
      <ul className="well-cards gap-3">
        {wells.map((well) => (
          <WellCard
            key={well.platformId}
            well={well}
            newest={recordOfCard(newest.get(well.assetId) ?? [], synonyms)}
            isUnknown={isListFailed || unread > 0 || (readAt === null && (isLate || isOffline))}
            isReading={readAt === null && !hasNoDatasets && !isListFailed}
          />
        ))}
      </ul>
      {hasNoDatasets && <p className="quiet">{w.noDatasets}</p>}
      {datasetCount > readCount && <p className="quiet small">{w.someDatasets(readCount, datasetCount)}</p>}
    </section>
  );
}

function UpdatedAge({ at }: { at: number }) {
  return ` · ${w.updated(agoText(at, useTimeOfDay(minuteMs)))}`;
}

interface WellCardProps {
  readonly well: ScopedWell;
  /** Null: none was found, or it isn't known yet. */
  readonly newest: NewestRecord | null;
  /** Whether it can't be known whether there is a record. */
  readonly isUnknown: boolean;
  readonly isReading: boolean;
}

export const WellCard = memo(function WellCard({ well, newest, isUnknown, isReading }: WellCardProps) {
  const session = useSession();
  const facts = useId();
  const open = () =>
    newest
      ? void openDataset(session, newest.dataset, { wells: [well], isPreview: true })
      : void openWell(session, well);
  const { lastActiveAt, status } = well;
  return (
    <li className="well-card stack gap-1 box pad-y-2 pad-x-3">
      <div className="row between">
        <Button
          variant="quiet"
          className="well-card-open min-0 bold"
          aria-label={w.card(well.name)}
          aria-describedby={facts}
          onPress={open}
        >
          <WellDot assetId={well.assetId} />
          <span className="ellipsis" title={well.name}>
            {well.name}
          </span>
        </Button>
        {newest && (
          <Button
            variant="quiet"
            className="well-card-live flex-none"
            icon={Radio}
            aria-label={w.follow(well.name)}
            onPress={() => openLiveOfWell(session, newest.dataset, well)}
          >
            {w.live}
          </Button>
        )}
      </div>
      <div id={facts}>
        {newest ? (
          <RecordFacts newest={newest} />
        ) : (
          <p className="quiet">
            {isUnknown ? w.notAnswered : isReading ? w.reading : w.noRecord}
            {!isReading && <Activity at={lastActiveAt} />}
          </p>
        )}
        {!newest && status !== null && <p className="quiet small">{status}</p>}
      </div>
      <WellNotes well={well} most={2} />
    </li>
  );
});

// Only the ages are rendered each second.
function Activity({ at }: { at: string | null }) {
  const activity = formatAgo(at ?? '', useTimeOfDay(1000));
  return activity !== null && ` · ${w.activeAgo(activity)}`;
}

const Age = ({ at }: { at: number }) => agoText(at, useTimeOfDay(1000));

function RecordFacts({ newest }: { newest: NewestRecord }) {
  const { data, dataset, at } = newest;
  const fields = useMemo(() => Object.keys(data).map((name) => `data.${name}`), [data]);
  const { names, changes } = useShownUnits(dataset, fields);
  const shown = (fieldValue: FieldValue | null, format = formatValue): string | null => {
    if (!fieldValue) return null;
    const value = cellConverter(changes, fieldValue.field)?.(fieldValue.value) ?? fieldValue.value;
    return [format(value), names.unitOf(fieldValue.field)].filter((part) => part !== undefined).join(' ');
  };
  const channelName = (field: string) => names.channelOf?.(field)?.name;
  const rows = [
    { name: w.depth, text: shown(valueOnCard(data, 'depth', channelName), formatDepth) },
    { name: w.rop, text: shown(valueOnCard(data, 'rop', channelName)) },
    { name: w.state, text: rigState(data) },
    { name: w.age, text: <Age at={at} /> },
  ];
  return (
    <dl>
      {rows.map(({ name, text }) => (
        <div key={name} className="row items-stretch gap-3 between">
          <dt className="quiet">{name}</dt>
          <dd className={text === null ? 'min-0 end quiet' : 'min-0 end numbers'}>{text ?? w.notRecorded}</dd>
        </div>
      ))}
    </dl>
  );
}
