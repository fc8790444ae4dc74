import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { pageStatus } from '../../api/page-status.ts';
import { valueOr } from '../../state/loadable.ts';
import { minuteMs, useTimeOfDay } from '../../state/use-now.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { Empty, Loading } from '../../ui/view-states.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { PickList, type RowMenu } from '../../ui/pick-list.tsx';
import { words } from '../../words/words.ts';
import type { Well } from '../../../shared/wells/wells.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { useAppState, useSession, useSessionState } from '../../contexts.ts';
import { datasetsOverTime, isWits } from '../datasets/search.ts';
import { parseFacts, groupsOf, defaultFacts } from '../wells/facts.ts';
import { FilterChips } from '../wells/filter-chips.tsx';
import { ListFoot } from '../wells/list-foot.tsx';
import { NoWells } from '../wells/no-wells.tsx';
import { PickerBar } from '../wells/picker-bar.tsx';
import { recordTimesPaceMs } from '../wells/record-times.ts';
import { openWell } from './open-well.ts';
import { rowHeight, WellRow } from './well-row.tsx';
import { hasAssetId, type ScopedWell } from '../../../shared/wells/scope.ts';
import { maxSelectedWells, withRecordTime } from '../wells/wells-state.ts';
import '../wells/wells.css';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';

/** Maximum number of datasets whose records have their times in the list. */
const maxDatasets = 2;

interface WellPickerProps {
  /** The id of the connection whose wells are listed. */
  readonly connection: string;
  /** Whether the section is in view. */
  readonly isShown: boolean;
}

export function WellPicker({ connection, isShown }: WellPickerProps) {
  return (
    <>
      <RecordTimes isShown={isShown} />
      <Wells connection={connection} />
    </>
  );
}

function Wells({ connection }: { connection: string }) {
  const session = useSession();
  const list = useSessionState('wells', (state) => state.list);
  const problem = useSessionState('wells', (state) => state.marksProblem);
  const { load, cancel } = session.wells.actions;
  const again = () => void load(connection);
  if (list.status === 'idle')
    return (
      <Empty action={<Button onPress={again}>{words.wells.load}</Button>}>{words.wells.notLoaded}</Empty>
    );
  if (list.status === 'loading') return <Loading what={words.wells.loading} onCancel={cancel} />;
  if (list.status === 'failed') return <ConnectionFailed error={list.error} onRetry={again} />;
  if (list.value.count === 0) return <Empty>{words.wells.empty}</Empty>;
  return (
    <>
      <PickerBar onOpen={(well) => void openWell(session, well)} />
      <FilterChips />
      {problem && (
        <Alert isStrip tone="warning">
          {words.wells.notStored} {problem.message}
        </Alert>
      )}
      <KeepFocus className="list-body">
        <MatchingWells />
      </KeepFocus>
      <ListFoot onAgain={again} />
    </>
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

function MatchingWells() {
  const wells = useSessionState('wells', (state) => state.found);
  const answer = useSessionState('wells', (state) => state.serviceResult);
  const { cancel, retryFilter } = useSession().wells.actions;
  if (answer.status === 'failed') return <ConnectionFailed error={answer.error} onRetry={retryFilter} />;
  if (answer.status === 'loading') return <Loading what={words.wells.asking} onCancel={cancel} />;
  if (wells === null) return null;
  return wells.length === 0 ? <NoWells /> : <WellList wells={wells} />;
}

const keyOf = ({ platformId }: Well) => platformId;
const nameOf = ({ name }: Well) => name;
const isUnselectable = (well: Well) => !hasAssetId(well);

/** The menu of a well; null: without an asset id it has none. */
function menuOf(
  well: Well,
  isPinned: boolean,
  pin: (well: ScopedWell, pinned: boolean) => void,
  open: (well: ScopedWell) => void,
): RowMenu | null {
  if (!hasAssetId(well)) return null;
  const w = words.wells;
  return {
    items: [
      { id: 'open', text: w.data.open },
      { id: 'pin', text: isPinned ? w.unpin : w.pin },
      { id: 'name', text: w.copyName },
      { id: 'assetId', text: w.copyAssetId },
    ],
    onSelect(id) {
      if (id === 'open') open(well);
      else if (id === 'pin') pin(well, !isPinned);
      else void copyText(id === 'name' ? well.name : String(well.assetId));
    },
  };
}

function WellList({ wells }: { wells: readonly Well[] }) {
  const selected = useSelectedWells();
  const pinned = useSessionState('wells', (state) => state.pinned);
  const recordTimes = useSessionState('wells', (state) => state.recordTimes);
  const factFields = useSessionState('wells', (state) => state.facts);
  const wellRows = useAppState('settings', (state) => state.values.wellRows);
  const facts = useMemo(() => parseFacts(factFields, defaultFacts[wellRows]), [factFields, wellRows]);
  const directory = useSessionState('directory', (state) => state);
  const session = useSession();
  const { loadGroups } = session.directory.actions;
  const { changeSelection, pin } = session.wells.actions;
  const open = (well: ScopedWell) => void openWell(session, well);
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
        if (hasAssetId(well)) open(well);
      }}
      menuOf={(well) => menuOf(well, hasAssetId(well) && pinned.has(well.assetId), pin, open)}
      render={(well) => (
        <WellRow
          well={withRecordTime(well, recordTimes)}
          facts={facts}
          pinned={well.assetId !== null && pinned.has(well.assetId)}
          directory={directory}
          now={now}
        />
      )}
    />
  );
}
