import { memo, useCallback, useEffect, useMemo, useSyncExternalStore, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { pageStatus } from '../../api/page-status.ts';
import { valueOr } from '../../state/loadable.ts';
import { minuteMs, useTimeOfDay } from '../../state/use-now.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { Fact } from '../../ui/fact.tsx';
import { Empty, Failed } from '../../ui/view-states.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { PickList, type RowMenu } from '../../ui/pick-list.tsx';
import { words } from '../../words/words.ts';
import { type Well, hasAssetId, type ScopedWell } from '../../../shared/wells/wells.ts';
import { useApp, useAppState, useSession, useSessionState } from '../../contexts.ts';
import { datasetsOverTime, isWits, addressText, typeText } from '../datasets/search.ts';
import {
  parseFacts,
  groupsOf,
  defaultFacts,
  definitionOf,
  type FactField,
  factRowText,
  factFields,
  factText,
} from '../wells/fields.ts';
import { WellFilterChips } from '../wells/filters.tsx';
import { ListFoot, LoadedWells, NoWells, PickerBar, useFoundWells } from '../wells/picker-bar.tsx';
import { recordTimesPaceMs } from '../wells/wells.ts';
import { openWell, findWellData, maxSearched, type WellHolding } from './open-well.ts';
import { maxSelectedWells, withRecordTime } from '../wells/wells-state.ts';
import '../wells/wells.css';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';
import {
  Archive,
  Circle,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CirclePlay,
  type LucideIcon,
  Pin,
  Info,
  PinOff,
  Radio,
  Table2,
} from 'lucide-react';
import { WellDot } from '../../ui/well-dot.tsx';
import { groups } from '../wells/directory.ts';
import { Popup } from '../../ui/popup.tsx';
import { datasetName, type Dataset } from '../../../shared/datasets/datasets.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { Status } from '../../ui/status.tsx';
import { openLiveOfWell } from '../live/live-kind.ts';
import { openDataset } from '../query/open-query.ts';
import { queryKind } from '../query/query-kind.ts';
import { recipesOfWell, startRecipeOf } from '../query/recipes/offered-recipes.ts';
import type { RecipeKind } from '../query/recipes/recipes.ts';
import { activeTab } from '../tabs/tabs.ts';
import { recipeWords } from '../../words/recipes.ts';
import { WellNotes } from '../notes/notes.tsx';

const w = words.wells.data;

interface WellDataProps {
  readonly well: ScopedWell;
  readonly onOpened: () => void;
}

async function showEach<T>(
  values: AsyncIterable<T>,
  show: (value: T) => void,
  signal: AbortSignal,
): Promise<void> {
  for await (const value of values) if (!signal.aborted) show(value);
}

/** The datasets that have records of a well, found while it is shown; each opens for this well. */
function WellData({ well, onOpened }: WellDataProps) {
  const session = useSession();
  const list = useSessionState('datasets', (state) => state.list);
  const total = valueOr(list, []).length;
  const [holdings, setHoldings] = useState<readonly WellHolding[]>([]);
  const [status, setStatus] = useState<'searching' | 'done' | AppError>('searching');
  const [search] = useState(createLatestTask);
  const start = useCallback(() => {
    const show = (holding: WellHolding) => {
      const address = addressText(holding.dataset);
      // A list of wells that is loaded again starts the search again.
      setHoldings((before) => {
        const at = before.findIndex(({ dataset }) => addressText(dataset) === address);
        if (at < 0) return [...before, holding];
        return holding.problem === null ? before.with(at, holding) : before;
      });
    };
    void search.run((signal) => showEach(findWellData(session, well, signal), show, signal), {
      onDone: () => setStatus('done'),
      onFailed: setStatus,
    });
    return search.drop;
  }, [search, session, well]);
  useEffect(start, [start]);
  const retry = () => {
    setStatus('searching');
    if (list.status !== 'loaded') void session.datasets.actions.load();
    start();
  };
  const datasets = holdings.flatMap(({ dataset, problem }) => (problem === null ? [dataset] : []));
  const problems = holdings.flatMap(({ problem }) => problem ?? []);
  return (
    <section className="above-3" aria-label={w.heading(well.name)}>
      <h3>{w.title}</h3>
      <ul>
        {datasets.map((dataset) => (
          <WellDataset key={addressText(dataset)} well={well} dataset={dataset} onOpened={onOpened} />
        ))}
      </ul>
      {typeof status === 'object' ? (
        <Failed error={status} onRetry={retry} />
      ) : (
        <Status className="quiet">
          {status === 'searching' ? w.searching(Math.min(total, maxSearched)) : w.found(datasets.length)}
          {total > maxSearched && ` ${w.more(maxSearched)}`}
        </Status>
      )}
      {problems.length > 0 && <Status className="quiet">{words.datasets.notAsked(problems)}</Status>}
    </section>
  );
}

function WellDataset({ well, dataset, onOpened }: WellDataProps & { readonly dataset: Dataset }) {
  const session = useSession();
  const { type } = dataset;
  const name = datasetName(dataset);
  return (
    <li className="row gap-1">
      <Button
        variant="quiet"
        icon={Table2}
        aria-label={w.openDataset(addressText(dataset))}
        onPress={() => {
          void openDataset(session, dataset, { wells: [well], isPreview: true });
          onOpened();
        }}
      >
        {name}
      </Button>
      <span className="quiet small">{typeText(dataset)}</span>
      {type === 'time' && (
        <Button
          variant="quiet"
          icon={Radio}
          aria-label={w.followDataset(addressText(dataset))}
          onPress={() => {
            openLiveOfWell(session, dataset, well);
            onOpened();
          }}
        >
          {w.follow}
        </Button>
      )}
    </li>
  );
}

function WellDetails({ well }: { well: Well }) {
  return (
    <Popup
      heading={well.name}
      placement="right top"
      trigger={{ className: 'pick-more', icon: Info, 'aria-label': words.wells.details(well.name) }}
    >
      {(close) => <Details well={well} onOpened={close} />}
    </Popup>
  );
}

function Details({ well, onOpened }: { well: Well; onOpened: () => void }) {
  const directory = useSessionState('directory', (state) => state);
  const pinned = useSessionState('wells', (state) => well.assetId !== null && state.pinned.has(well.assetId));
  const { pin } = useSession().wells.actions;
  const { loadGroups } = useSession().directory.actions;
  const now = useTimeOfDay(minuteMs);
  useEffect(() => loadGroups(groups), [loadGroups]);
  const w = words.wells;
  return (
    <>
      <dl className="facts numbers">
        <Fact name={w.fields.assetId} note={well.assetId === null ? undefined : w.assetIdNote}>
          {well.assetId ?? w.noAssetNote}
        </Fact>
        <Fact name={w.fields.platformId} note={w.platformIdNote}>
          {well.platformId}
        </Fact>
        {factFields
          .filter((field) => !definitionOf(field).isId)
          .map((field) => (
            <Fact key={field} name={w.fields[field]}>
              {factText(well, field, directory, now)}
            </Fact>
          ))}
      </dl>
      {hasAssetId(well) && <WellNotes well={well} />}
      {hasAssetId(well) && <WellData well={well} onOpened={onOpened} />}
      {hasAssetId(well) && (
        <div className="above-3 to-end row wrap">
          <Button icon={pinned ? PinOff : Pin} onPress={() => pin(well, !pinned)}>
            {pinned ? w.unpin : w.pin}
          </Button>
        </div>
      )}
    </>
  );
}

const lineHeight = 18;
const padding = 8;

/** Lines below the name: two facts fit in a line, and a single one beside the name. */
const linesFor = (facts: number): number => (facts > 1 ? Math.ceil(facts / 2) : 0);

/** The height of a row by the number of its facts, in pixels. */
const rowHeight = (facts: number): number => padding + lineHeight * (1 + linesFor(facts));

interface WellRowProps {
  readonly well: Well;
  readonly facts: readonly FactField[];
  readonly pinned: boolean;
  readonly now: number;
}

/** A well in the list: its name, its status, and the selected fields. Drawn again only when one of them changes. */
const WellRow = memo(function WellRow({ well: listed, facts, pinned, now }: WellRowProps) {
  const recordTimes = useSessionState('wells', (state) => state.recordTimes);
  const well = useMemo(() => withRecordTime(listed, recordTimes), [listed, recordTimes]);
  const texts = useSessionState(
    'directory',
    useShallow((state) => facts.map((field) => factRowText(well, field, state, now))),
  );
  const [only] = facts.length === 1 ? texts : [];
  const lines = Array.from({ length: linesFor(facts.length) }, (_, at) => at * 2);
  return (
    <div className="grow">
      <div className="item-line row one-line">
        <WellDot assetId={well.assetId} />
        <span className="ellipsis grow">{well.name}</span>
        {pinned && (
          <span className="flex-none quiet">
            <Pin size={12} aria-hidden />
            <span className="visually-hidden">{words.wells.pinned}</span>
          </span>
        )}
        {only !== undefined && <span className="flex-none small quiet numbers">{only}</span>}
        {well.status !== null && <WellStatus status={well.status} isShort={only !== undefined} />}
        <WellDetails well={well} />
      </div>
      {lines.map((first) => (
        <div key={first} className="item-line row one-line quiet numbers">
          {facts.slice(first, first + 2).map((field, at) => (
            <span key={field} className="well-fact ellipsis">
              {texts[first + at]}
            </span>
          ))}
        </div>
      ))}
    </div>
  );
});

// The service's statuses are free text: common ones have an icon, so that color is never the only sign.
const icons: Readonly<Record<string, LucideIcon>> = {
  active: CirclePlay,
  paused: CirclePause,
  idle: CircleDashed,
  complete: CircleCheck,
  archived: Archive,
};

function WellStatus({ status, isShort }: { status: string; isShort: boolean }) {
  const Icon = icons[status] ?? Circle;
  return (
    <span
      className="row gap-1 quiet small state"
      data-state={status === 'active' ? 'ok' : undefined}
      {...(isShort ? { title: status } : {})}
    >
      <Icon size={12} aria-hidden />
      <span className={isShort ? 'visually-hidden' : ''}>{status}</span>
    </span>
  );
}

/** Maximum number of datasets whose records have their times in the list. */
const maxDatasets = 2;

export function WellPicker({ isShown }: { isShown: boolean }) {
  return (
    <>
      <RecordTimes isShown={isShown} />
      <Wells />
    </>
  );
}

function Wells() {
  const session = useSession();
  const isEmpty = useSessionState('wells', ({ list }) => list.status === 'loaded' && list.value.count === 0);
  const problem = useSessionState('wells', (state) => state.marksProblem);
  const wells = useFoundWells();
  const again = () => void session.wells.actions.load(session.connection);
  if (isEmpty) return <Empty>{words.wells.empty}</Empty>;
  return (
    <LoadedWells onAgain={again}>
      <PickerBar onOpen={(well) => void openWell(session, well)} />
      <WellFilterChips />
      {problem && (
        <Alert isStrip tone="warning">
          {words.wells.notStored} {problem.message}
        </Alert>
      )}
      <KeepFocus className="fill faint-above">{wells ? <WellList wells={wells} /> : <NoWells />}</KeepFocus>
      <ListFoot onAgain={again} />
    </LoadedWells>
  );
}

const isPageActive = () => !pageStatus.hidden() && pageStatus.online();

/**
 * Keeps the times of the newest records current while the list is in view, in a visible page, and online. A component of
 * its own: the list of wells isn't drawn again for each change of the datasets.
 */
function RecordTimes({ isShown }: { isShown: boolean }): null {
  const { readRecordTimes } = useSession().wells.actions;
  const turn = useTimeOfDay(recordTimesPaceMs);
  const isActive = useSyncExternalStore(pageStatus.watch, isPageActive) && isShown;
  const areWellsListed = useSessionState(
    'wells',
    ({ list, freshness }) => list.status === 'loaded' && !freshness.isLoading,
  );
  const list = useSessionState('datasets', (state) => (state.freshness.isLoading ? null : state.list));
  useEffect(() => {
    if (!isActive || !areWellsListed || list === null) return;
    const [first, ...others] = datasetsOverTime(valueOr(list, []));
    if (first) readRecordTimes([first, ...others.filter(isWits)].slice(0, maxDatasets), turn);
  }, [isActive, areWellsListed, list, turn, readRecordTimes]);
  return null;
}

const keyOf = ({ platformId }: Well) => platformId;
const nameOf = ({ name }: Well) => name;
const isUnselectable = (well: Well) => !hasAssetId(well);

/** The menu of a well; null: without an asset id it has none. */
function useWellMenu(): (well: Well) => RowMenu | null {
  const app = useApp();
  const session = useSession();
  const { pin } = session.wells.actions;
  const pinned = useSessionState('wells', (state) => state.pinned);
  const startRecipe = async (well: ScopedWell, kind: RecipeKind): Promise<void> => {
    await openWell(session, well);
    const tab = queryKind.of(activeTab(session.tabs.store.getState()));
    if (tab?.wells().some(({ assetId }) => assetId === well.assetId)) startRecipeOf(app, session, tab, kind);
  };
  return (well) => {
    if (!hasAssetId(well)) return null;
    const w = words.wells;
    const isPinned = pinned.has(well.assetId);
    return {
      items: [
        { id: 'open', text: w.data.open, run: () => void openWell(session, well) },
        { id: 'pin', text: isPinned ? w.unpin : w.pin, run: () => pin(well, !isPinned) },
        { id: 'name', text: w.copyName, run: () => void copyText(well.name) },
        { id: 'assetId', text: w.copyAssetId, run: () => void copyText(String(well.assetId)) },
      ],
      others: {
        id: 'recipes',
        heading: recipeWords.ofWell,
        items: recipesOfWell.map((id) => ({
          id,
          text: recipeWords.kinds[id],
          run: () => void startRecipe(well, id),
        })),
      },
    };
  };
}

function WellList({ wells }: { wells: readonly Well[] }) {
  const selected = useSelectedWells();
  const pinned = useSessionState('wells', (state) => state.pinned);
  const factFields = useSessionState('wells', (state) => state.facts);
  const wellRows = useAppState('settings', (state) => state.values.wellRows);
  const facts = useMemo(() => parseFacts(factFields, defaultFacts[wellRows]), [factFields, wellRows]);
  const session = useSession();
  const { loadGroups } = session.directory.actions;
  const { changeSelection } = session.wells.actions;
  const menuOf = useWellMenu();
  const now = useTimeOfDay(minuteMs);
  const selectedIds = useMemo(() => new Set<string | number>(selected.map(keyOf)), [selected]);
  useEffect(() => loadGroups(groupsOf(facts)), [loadGroups, facts]);
  return (
    <PickList
      label={words.wells.heading}
      items={wells}
      keyOf={keyOf}
      nameOf={nameOf}
      rowHeight={rowHeight(facts.length)}
      isDisabled={isUnselectable}
      selected={selectedIds}
      maxSelected={maxSelectedWells}
      onSelectionChange={({ add, remove }) => changeSelection(add, remove)}
      onOpen={(well) => {
        if (hasAssetId(well)) void openWell(session, well);
      }}
      menuOf={menuOf}
      render={(well) => (
        <WellRow
          well={well}
          facts={facts}
          pinned={well.assetId !== null && pinned.has(well.assetId)}
          now={now}
        />
      )}
    />
  );
}
