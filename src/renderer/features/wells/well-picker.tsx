import { useDeferredValue, useMemo, useState } from 'react';
import type { PlatformWellId, Well } from '../../../shared/wells.ts';
import { formatAgo } from '../../format/times.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed, Loading } from '../../ui/faces.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { PickList } from '../../ui/pick-list.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { useWells, useWellsActions } from './context.ts';
import { searchWells } from './search.ts';
import { WellDetails } from './well-details.tsx';
import { WellStatus } from './well-status.tsx';
import { hasAssetId } from './wells.ts';
import './wells.css';

const rowHeight = 44;

/** Finds and chooses wells. `connection` is the one whose wells these are. */
export function WellPicker({ connection }: { connection: string }) {
  const list = useWells((state) => state.list);
  const { load, cancel } = useWellsActions();
  const again = () => void load(connection);
  if (list.face === 'idle')
    return (
      <Empty action={<Button onPress={again}>{words.wells.load}</Button>}>{words.wells.notLoaded}</Empty>
    );
  if (list.face === 'loading') return <Loading what={words.wells.loading} onCancel={cancel} />;
  if (list.face === 'failed') return <Failed error={list.error} onRetry={again} />;
  if (list.value.length === 0) return <Empty>{words.wells.empty}</Empty>;
  return <WellList wells={list.value} />;
}

function WellList({ wells }: { wells: readonly Well[] }) {
  const search = useWells((state) => state.search);
  const chosen = useWells((state) => state.chosen);
  const actions = useWellsActions();
  const [now] = useState(Date.now);
  const text = useDeferredValue(search);
  const found = useMemo(() => searchWells(wells, text), [wells, text]);
  const chosenIds = useMemo(() => new Set(chosen.map(({ platformId }) => platformId)), [chosen]);
  const disabled = useMemo(
    () => found.filter((well) => !hasAssetId(well)).map(({ platformId }) => platformId),
    [found],
  );
  const choose = (keys: ReadonlySet<string | number>) => {
    // What the search hides stays chosen.
    const visible = new Set(found);
    const hidden = chosen.filter((well) => !visible.has(well)).map(({ platformId }) => platformId);
    const seen = found.filter(({ platformId }) => keys.has(platformId)).map(({ platformId }) => platformId);
    actions.choose(new Set<PlatformWellId>([...hidden, ...seen]));
  };
  return (
    <>
      <div className="list-head">
        <SearchBox
          label={words.wells.search}
          placeholder={words.wells.searchHint}
          value={search}
          onChange={actions.search}
          clearLabel={words.wells.clearSearch}
        />
      </div>
      <KeepFocus className="list-body">
        {found.length === 0 ? (
          <Empty action={<Button onPress={() => actions.search('')}>{words.wells.clearSearch}</Button>}>
            {words.wells.noMatch(text)}
          </Empty>
        ) : (
          <PickList
            label={words.wells.heading}
            items={found}
            keyOf={({ platformId }) => platformId}
            nameOf={({ name }) => name}
            rowHeight={rowHeight}
            disabled={disabled}
            chosen={chosenIds}
            onChoose={choose}
            render={(well) => <WellRow well={well} now={now} />}
          />
        )}
      </KeepFocus>
      <Status className="list-foot quiet numbers">
        {words.wells.shown(found.length, wells.length)} · {words.wells.chosen(chosen.length)}
      </Status>
    </>
  );
}

function WellRow({ well, now }: { well: Well; now: number }) {
  const active = well.lastActiveAt === null ? null : formatAgo(well.lastActiveAt, now);
  return (
    <div className="well">
      <div className="well-line">
        <span className="well-name">{well.name}</span>
        {well.status !== null && <WellStatus status={well.status} />}
        <WellDetails well={well} />
      </div>
      <div className="well-line quiet numbers">
        <span className="well-api">{well.apiNumber ?? words.wells.noApiNumber}</span>
        <span>{well.assetId === null ? words.wells.noAsset : words.wells.asset(well.assetId)}</span>
        <span className="well-active">{active ?? words.wells.neverActive}</span>
      </div>
    </div>
  );
}
