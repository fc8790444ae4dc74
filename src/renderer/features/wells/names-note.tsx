import { Button } from '../../ui/button.tsx';
import { Status } from '../../ui/status.tsx';
import { useSession, useSessionState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { groups, type MemberList } from './directory.ts';

/** The status of names to select from. A stored list is used while the service is being requested. */
export function namesStatus(...lists: readonly MemberList[]): 'loading' | 'failed' | 'loaded' {
  if (lists.some(({ freshness }) => freshness.error !== null)) return 'failed';
  return lists.some(({ freshness, names }) => freshness.isLoading && names.size === 0) ? 'loading' : 'loaded';
}

/** The text of an empty filter whose names are selected from a list. */
export const emptyFilterText = (members: MemberList): string =>
  namesStatus(members) === 'loading' ? words.wells.anyComing : words.wells.any;

/** Says whether the names are still loading or couldn't be loaded. */
export function NamesNote() {
  const { again } = useSession().directory.actions;
  const status = useSessionState('directory', (state) => namesStatus(...groups.map((group) => state[group])));
  return (
    <div className={status === 'loaded' ? 'visually-hidden' : 'filters-wide row quiet'}>
      <Status>
        {status === 'failed'
          ? words.wells.namesFailed
          : status === 'loading'
            ? words.wells.namesComing
            : null}
      </Status>
      {status === 'failed' && <Button onPress={again}>{words.kept.refresh}</Button>}
    </div>
  );
}
