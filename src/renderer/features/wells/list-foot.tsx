import { X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { ListAge } from '../../ui/list-age.tsx';
import { Status } from '../../ui/status.tsx';
import { useSession, useSessionState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { maxSelectedWells } from './wells-state.ts';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';

/** The number of wells shown and selected, and the age of the list if it is not current. */
export function ListFoot({ onAgain }: { onAgain: () => void }) {
  const foundCount = useSessionState('wells', (state) => state.found?.length ?? 0);
  const listCount = useSessionState('wells', (state) =>
    state.list.status === 'loaded' ? state.list.value.count : 0,
  );
  const serviceCount = useSessionState('wells', (state) =>
    state.serviceResult.status === 'loaded' ? state.serviceResult.value.count : null,
  );
  const selectedCount = useSelectedWells().length;
  const freshness = useSessionState('wells', (state) => state.freshness);
  const isFirstLoad = freshness.isLoading && freshness.asOf === null;
  const w = words.wells;
  const { deselectAll } = useSession().wells.actions;
  return (
    <div className="list-foot">
      <div className="list-foot-line">
        <Status className="quiet numbers">
          {isFirstLoad ? w.soFar(listCount) : w.shown(foundCount, serviceCount ?? listCount)} ·{' '}
          {selectedCount < maxSelectedWells ? w.chosen(selectedCount) : w.chosenMost(selectedCount)}
        </Status>
        {selectedCount > 0 && (
          <Button variant="quiet" size="small" icon={X} aria-label={w.removeAll} onPress={deselectAll} />
        )}
      </div>
      <ListAge freshness={freshness} onAgain={onAgain} />
    </div>
  );
}
