import { X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { words } from '../../words/words.ts';
import type { PlatformWellId } from '../../../shared/wells/well-ids.ts';
import { useSession, useSessionState } from '../../state/contexts.ts';

const shown = 3;

/** The chosen wells, wherever the person is. */
export function ScopeChips() {
  const chosen = useSessionState('wells', (state) => state.chosen);
  const { drop, dropAll } = useSession().wells.actions;
  if (chosen.length === 0) return <span className="scope quiet">{words.wells.noScope}</span>;
  const first = chosen.slice(0, shown);
  const remove = (ids: ReadonlySet<number | string>) => {
    const gone: PlatformWellId[] = first.map(({ platformId }) => platformId).filter((id) => ids.has(id));
    for (const id of gone) drop(id);
  };
  return (
    <div className="scope">
      <Chips
        label={words.wells.scope}
        chips={first.map(({ platformId, name }) => ({ id: platformId, text: name }))}
        onRemove={remove}
      />
      {chosen.length > shown && <span className="quiet">{words.wells.more(chosen.length - shown)}</span>}
      <Button variant="quiet" icon={X} aria-label={words.wells.removeAll} onPress={dropAll} />
    </div>
  );
}
