import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/view-states.tsx';
import { useSession, useSessionState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { noFilter } from './filter.ts';

/** Why the list is empty, with a button that helps. */
export function NoWells() {
  const search = useSessionState('wells', (state) => state.search).trim();
  const view = useSessionState('wells', (state) => state.view);
  const filtered = useSessionState('wells', (state) => Object.keys(state.filter).length > 0);
  const actions = useSession().wells.actions;
  const w = words.wells;
  if (search !== '')
    return (
      <Empty
        action={
          <>
            <Button onPress={() => actions.search('')}>{words.clearSearch}</Button>
            {filtered && <ClearFilters />}
          </>
        }
      >
        {filtered ? w.noMatchBoth(search) : w.noMatch(search)}
      </Empty>
    );
  if (filtered) return <Empty action={<ClearFilters />}>{w.noMatchFilter}</Empty>;
  if (view !== 'all')
    return (
      <Empty action={<Button onPress={() => actions.show('all')}>{w.showAll}</Button>}>
        {w.noneInView[view]}
      </Empty>
    );
  return <Empty>{w.empty}</Empty>;
}

function ClearFilters() {
  const { filter } = useSession().wells.actions;
  return <Button onPress={() => filter(noFilter)}>{words.wells.clearFilters}</Button>;
}
