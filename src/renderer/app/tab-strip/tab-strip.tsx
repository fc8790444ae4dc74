import { ChevronDown, Plus } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { TabList } from 'react-aria-components/Tabs';
import { useCommand } from '../../features/commands/use-command.ts';
import { Button } from '../../ui/button.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { words } from '../../words/words.ts';
import { titleOf, type Tab } from '../tabs.ts';
import { useSession, useSessionState } from '../../state/contexts.ts';
import { useTabDrag } from './drag.ts';
import { SaveQuery } from './save-query.tsx';
import { TabHead } from './tab-head.tsx';
import { RenameTab, TabMenu } from './tab-menu.tsx';

export interface TabStripProps {
  readonly tabs: readonly Tab[];
  readonly onNew: () => void;
}

interface Opened {
  readonly id: string;
  readonly what: 'menu' | 'rename';
}

const idOf = (target: EventTarget): string | null =>
  target instanceof Element ? (target.closest('[role=tab]')?.getAttribute('data-key') ?? null) : null;

const tabElement = (strip: Element | null, id: string): Element | null =>
  strip?.querySelector(`[data-key="${CSS.escape(id)}"]`) ?? null;

/** The tabs in a row, which scrolls when there are many; a list of all, and a new one. */
export function TabStrip({ tabs, onNew }: TabStripProps) {
  const active = useSessionState('tabs', (state) => state.active);
  const { close, move, show } = useSession().tabs.actions;
  const strip = useRef<HTMLDivElement>(null);
  const element = useRef<Element>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const { dragged, handlers } = useTabDrag(
    tabs.map(({ id }) => id),
    move,
  );
  const open = (what: Opened['what'], id: string) => {
    element.current = tabElement(strip.current, id);
    setOpened({ id, what });
  };
  useEffect(() => {
    if (active === null) return undefined;
    // A tab that is new is drawn a little later.
    const next = requestAnimationFrame(() =>
      tabElement(strip.current, active)?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    );
    return () => cancelAnimationFrame(next);
  }, [active]);

  useCommand('tabRename', active === null ? null : () => open('rename', active));

  const onKeyDown = (event: KeyboardEvent) => {
    const id = idOf(event.target);
    if (!id) return;
    if (event.key === 'Delete') close(id);
    else if (event.key === 'F2') open('rename', id);
    else return;
    event.preventDefault();
  };
  const subject = opened && tabs.find(({ id }) => id === opened.id);
  // What an action of the menu has opened in its place stays.
  const closer = (what: Opened['what']) => () => setOpened((now) => (now?.what === what ? null : now));
  return (
    <div className="tab-strip">
      {/* A tab can hold no button that a keyboard or a screen reader would find: what can be done with one is done here. */}
      {/* oxlint-disable-next-line no-static-element-interactions -- the tabs inside are the elements that are acted upon */}
      <div
        ref={strip}
        className="tab-scroll"
        onKeyDown={onKeyDown}
        onContextMenu={(event) => {
          const id = idOf(event.target);
          if (!id) return;
          event.preventDefault();
          open('menu', id);
        }}
        onWheel={({ currentTarget, deltaX, deltaY }) => {
          if (deltaX === 0) currentTarget.scrollLeft += deltaY;
        }}
        {...handlers}
      >
        <TabList className="tab-list" aria-label={words.tabs.label} items={tabs} dependencies={[dragged]}>
          {(tab) => <TabHead tab={tab} isDragged={dragged === tab.id} />}
        </TabList>
      </div>
      <span className="tab-strip-end">
        <Button variant="quiet" icon={Plus} aria-label={words.tabs.new} onPress={onNew} />
        <MenuButton
          label={words.tabs.all(tabs.length)}
          icon={ChevronDown}
          items={tabs.map((tab) => ({ id: tab.id, text: titleOf(tab) }))}
          {...(active === null ? {} : { current: active })}
          onChoose={show}
        />
        <SaveQuery />
      </span>
      {subject && opened.what === 'menu' && (
        <TabMenu
          key={subject.id}
          tab={subject}
          at={element}
          onClose={closer('menu')}
          onRename={() => open('rename', subject.id)}
        />
      )}
      {subject && opened.what === 'rename' && (
        <RenameTab key={subject.id} tab={subject} at={element} onClose={closer('rename')} />
      )}
    </div>
  );
}
