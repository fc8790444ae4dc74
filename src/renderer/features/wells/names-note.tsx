import { Button } from '../../ui/button.tsx';
import { Status } from '../../ui/status.tsx';
import { useSession, useSessionState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { groups, type Members } from './directory.ts';

/** How far names are known that are picked from: a list that is kept stands for them while the service is asked. */
export function namesStatus(...lists: readonly Members[]): 'loading' | 'failed' | 'loaded' {
  if (lists.some(({ freshness }) => freshness.error !== null)) return 'failed';
  return lists.some(({ freshness, names }) => freshness.isLoading && names.size === 0) ? 'loading' : 'loaded';
}

/** What stands in an empty filter whose names are picked from a list. */
export const anyOf = (members: Members): string =>
  namesStatus(members) === 'loading' ? words.wells.anyComing : words.wells.any;

/** Says when the names to pick from are still being fetched, or could not be. */
export function NamesNote() {
  const { again } = useSession().directory.actions;
  const status = useSessionState('directory', (state) => namesStatus(...groups.map((group) => state[group])));
  return (
    <div className={status === 'loaded' ? 'visually-hidden' : 'filters-wide filters-names quiet'}>
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
