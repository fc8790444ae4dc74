import { useEffect, useMemo } from 'react';
import { minuteMs, useTimeOfDay } from '../../state/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { Empty, Loading } from '../../ui/view-states.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { PickList, type RowMenu } from '../../ui/pick-list.tsx';
import { words } from '../../words/words.ts';
import type { Well } from '../../../shared/wells/wells.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { useSession, useSessionState } from '../../state/contexts.ts';
import { factsIn, groupsOf, usualFacts } from './facts.ts';
import { FilterChips } from './filter-chips.tsx';
import { ListFoot } from './list-foot.tsx';
import { NothingFound } from './nothing-found.tsx';
import { PickerBar } from './picker-bar.tsx';
import { rowHeightFor, WellRow } from './well-row.tsx';
import { hasAssetId, type ScopedWell } from './scope.ts';
import { mostChosen } from './wells-state.ts';
import './wells.css';

export interface WellPickerProps {
  /** The one whose wells these are. */
  readonly connection: string;
  /** Opens the wells as a table, and what they belong to. */
  readonly onBrowse: () => void;
}

/** Finds and chooses wells. */
export function WellPicker({ connection, onBrowse }: WellPickerProps) {
  const list = useSessionState('wells', (state) => state.list);
  const { load, cancel } = useSession().wells.actions;
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
      <PickerBar onBrowse={onBrowse} />
      <FilterChips />
      <KeepFocus className="list-body">
        <Found />
      </KeepFocus>
      <ListFoot onAgain={again} />
    </>
  );
}

function Found() {
  const found = useSessionState('wells', (state) => state.found);
  const answer = useSessionState('wells', (state) => state.answer);
  const { cancel, askAgain } = useSession().wells.actions;
  if (answer.status === 'failed') return <ConnectionFailed error={answer.error} onRetry={askAgain} />;
  if (answer.status === 'loading') return <Loading what={words.wells.asking} onCancel={cancel} />;
  if (found === null) return null;
  return found.length === 0 ? <NothingFound /> : <FoundList found={found} />;
}

const keyOf = ({ platformId }: Well) => platformId;
const nameOf = ({ name }: Well) => name;
const cannotBeChosen = (well: Well) => !hasAssetId(well);

/** What can be done with a well; null: it has no asset id, so nothing. */
function menuOf(
  well: Well,
  isPinned: boolean,
  pin: (well: ScopedWell, pinned: boolean) => void,
): RowMenu | null {
  if (!hasAssetId(well)) return null;
  const w = words.wells;
  return {
    items: [
      { id: 'pin', text: isPinned ? w.unpin : w.pin },
      { id: 'name', text: w.copyName },
      { id: 'assetId', text: w.copyAssetId },
    ],
    onChoose(id) {
      if (id === 'pin') pin(well, !isPinned);
      else void copyText(id === 'name' ? well.name : String(well.assetId));
    },
  };
}

function FoundList({ found }: { found: readonly Well[] }) {
  const chosen = useSessionState('wells', (state) => state.chosen);
  const pinned = useSessionState('wells', (state) => state.pinned);
  const told = useSessionState('wells', (state) => state.facts);
  const facts = useMemo(() => factsIn(told, usualFacts), [told]);
  const directory = useSessionState('directory', (state) => state);
  const { look } = useSession().directory.actions;
  const { choose, pin } = useSession().wells.actions;
  const now = useTimeOfDay(minuteMs);
  const chosenIds = useMemo(() => new Set<string | number>(chosen.map(keyOf)), [chosen]);
  useEffect(() => look(groupsOf(facts)), [look, facts]);
  return (
    <PickList
      label={words.wells.heading}
      items={found}
      keyOf={keyOf}
      nameOf={nameOf}
      rowHeight={rowHeightFor(facts.length)}
      isDisabled={cannotBeChosen}
      chosen={chosenIds}
      most={mostChosen}
      onChoose={({ add, remove }) => choose(add, remove)}
      menuOf={(well) => menuOf(well, hasAssetId(well) && pinned.has(well.assetId), pin)}
      render={(well) => (
        <WellRow
          well={well}
          facts={facts}
          pinned={well.assetId !== null && pinned.has(well.assetId)}
          directory={directory}
          now={now}
        />
      )}
    />
  );
}
