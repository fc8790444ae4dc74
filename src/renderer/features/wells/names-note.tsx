import { Button } from '../../ui/button.tsx';
import { Status } from '../../ui/status.tsx';
import { useSession, useSessionState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { groups, type Members } from './directory.ts';

/** How far names are known that are picked from: a list that is kept stands for them while the service is asked. */
export function namesFace(...lists: readonly Members[]): 'coming' | 'failed' | 'full' {
  if (lists.some(({ freshness }) => freshness.error !== null)) return 'failed';
  return lists.some(({ freshness, names }) => freshness.asking && names.size === 0) ? 'coming' : 'full';
}

/** What stands in an empty filter whose names are picked from a list. */
export const anyOf = (members: Members): string =>
  namesFace(members) === 'coming' ? words.wells.anyComing : words.wells.any;

/** Says when the names to pick from are still being fetched, or could not be. */
export function NamesNote() {
  const { again } = useSession().directory.actions;
  const face = useSessionState('directory', (state) => namesFace(...groups.map((group) => state[group])));
  return (
    <div className={face === 'full' ? 'visually-hidden' : 'filters-wide filters-names quiet'}>
      <Status>
        {face === 'failed' ? words.wells.namesFailed : face === 'coming' ? words.wells.namesComing : null}
      </Status>
      {face === 'failed' && <Button onPress={again}>{words.kept.refresh}</Button>}
    </div>
  );
}
