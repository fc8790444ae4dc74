import { X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { words } from '../../words/words.ts';
import type { PlatformWellId } from '../../../shared/wells/well-ids.ts';
import { useSession, useSessionState } from '../../state/contexts.ts';

const maxChips = 3;

/** The selected wells, shown in every view. */
export function ScopeChips() {
  const chosen = useSessionState('wells', (state) => state.selected);
  const { deselect, deselectAll } = useSession().wells.actions;
  if (chosen.length === 0) return <span className="scope quiet">{words.wells.noScope}</span>;
  const first = chosen.slice(0, maxChips);
  const remove = (ids: ReadonlySet<number | string>) => {
    const removedIds: PlatformWellId[] = first
      .map(({ platformId }) => platformId)
      .filter((id) => ids.has(id));
    for (const id of removedIds) deselect(id);
  };
  return (
    <div className="scope">
      <Chips
        label={words.wells.scope}
        chips={first.map(({ platformId, name }) => ({ id: platformId, text: name }))}
        onRemove={remove}
      />
      {chosen.length > maxChips && (
        <span className="quiet">{words.wells.more(chosen.length - maxChips)}</span>
      )}
      <Button variant="quiet" icon={X} aria-label={words.wells.removeAll} onPress={deselectAll} />
    </div>
  );
}
