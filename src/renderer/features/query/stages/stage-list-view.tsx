import { CircleAlert, GripVertical, X } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { GridList, GridListItem } from 'react-aria-components/GridList';
import { Switch } from 'react-aria-components/Switch';
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop';
import { useStore } from 'zustand';
import { Button } from '../../../ui/button.tsx';
import { useTab } from '../../../contexts.ts';
import { words } from '../../../words/words.ts';
import { refusalOf, type StageCard } from './stage-list.ts';

interface StageListProps {
  readonly cards: readonly StageCard[];
  /** The index of the stage that stopped the last run. */
  readonly problemIndex: number | null;
}

/** The list of stages, which can be selected, disabled, moved, and removed. */
export function StageList({ cards, problemIndex }: StageListProps) {
  const { actions, store } = useTab('query').cards;
  const chosen = useStore(store, (state) => state.selected);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder({ keys, target }) {
      const at = cards.findIndex(({ id }) => id === target.key);
      const before = target.dropPosition === 'before' ? at : at + 1;
      actions.move(new Set([...keys].map(String)), cards[before]?.id ?? null);
    },
  });
  return (
    <MoveByKey>
      <GridList
        aria-label={words.stages.list}
        className="stage-list"
        items={cards}
        dependencies={[problemIndex]}
        selectionMode="single"
        selectionBehavior="replace"
        selectedKeys={chosen === null ? [] : [chosen]}
        onSelectionChange={(keys) => {
          const [id] = keys === 'all' ? [] : keys;
          if (id !== undefined) actions.select(String(id));
        }}
        dragAndDropHooks={dragAndDropHooks}
      >
        {(card) => {
          const at = cards.indexOf(card);
          return <StageRow card={card} at={at + 1} isWrong={at === problemIndex} />;
        }}
      </GridList>
    </MoveByKey>
  );
}

/** Alt and an arrow key move the focused stage, Delete removes it. */
function MoveByKey({ children }: { children: ReactNode }) {
  const { actions } = useTab('query').cards;
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, altKey, target } = event;
    const row = target instanceof Element ? target.closest('[role=row]') : null;
    const id = row?.getAttribute('data-key');
    const by = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0;
    if (!id || !((altKey && by !== 0) || (key === 'Delete' && target === row))) return;
    event.preventDefault();
    event.stopPropagation();
    if (by !== 0) actions.shift(id, by);
    else actions.remove(id);
  };
  return (
    // oxlint-disable-next-line no-static-element-interactions -- the rows inside are the elements that are acted upon
    <div className="stage-list-keys" onKeyDownCapture={onKeyDown}>
      {children}
    </div>
  );
}

function StageRow({ card, at, isWrong }: { card: StageCard; at: number; isWrong: boolean }) {
  const { actions } = useTab('query').cards;
  const { id, on, operator, body, canSwitch } = card;
  const refused = refusalOf(operator);
  const against = refused ? words.stages.refusedShort[refused] : isWrong ? words.stages.refusedInRun : null;
  const name = words.stages.name(at, operator);
  return (
    <GridListItem
      id={id}
      textValue={`${name}${on ? '' : `, ${words.stages.off}`}`}
      className={`stage-item${on ? '' : ' stage-off'}`}
    >
      <AriaButton slot="drag" className="stage-drag" aria-label={words.stages.move(name)}>
        <GripVertical size={14} aria-hidden />
      </AriaButton>
      <Switch
        className="query-switch"
        aria-label={words.stages.turnOn(name)}
        isSelected={on}
        isDisabled={!canSwitch}
        onChange={() => actions.toggle(id)}
      >
        <span className="switch-track" aria-hidden />
      </Switch>
      <span className="stage-operator">{operator ?? '?'}</span>
      {against !== null && on ? (
        <span className="stage-refused">
          <CircleAlert size={14} aria-hidden /> {against}
        </span>
      ) : (
        <span className="stage-body quiet">{body.replaceAll(/\s+/g, ' ').slice(0, 120)}</span>
      )}
      <Button
        variant="quiet"
        icon={X}
        className="stage-remove"
        aria-label={words.stages.remove(name)}
        onPress={() => actions.remove(id)}
      />
    </GridListItem>
  );
}
