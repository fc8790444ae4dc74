import { ChevronDown, Plus, X } from 'lucide-react';
import {
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from 'react';
import { Tab as AriaTab, TabList } from 'react-aria-components/Tabs';
import { WellDot } from '../../../ui/well-dot.tsx';
import { words } from '../../../words/words.ts';
import type { Tab } from '../tabs.ts';
import { tabTitle } from '../tab-title.ts';
import { tabActions } from '../tabs-commands.ts';
import { useSession, useSessionState, useAppState } from '../../../contexts.ts';
import { useShortcut } from '../../commands/command-button.tsx';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { Keyboard } from 'react-aria-components/Keyboard';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import type { Action } from '../../commands/command-table.ts';
import { currentShortcuts } from '../../commands/commands.ts';
import { isMac, shortcutText } from '../../commands/keys.ts';
import { PopupAt } from '../../../ui/popup.tsx';
import { TextField } from '../../../ui/text-field.tsx';

/** The distance in pixels after which a press becomes a drag. */
const threshold = 6;

/**
 * The index of a tab dropped at `x` among the others.
 * @param edges left and right of each tab in order, including the dragged one
 */
export function dropIndex(x: number, dragged: number, edges: readonly (readonly [number, number])[]): number {
  const otherEdges = edges.filter((_, at) => at !== dragged);
  const before = otherEdges.filter(([left, right]) => (left + right) / 2 < x);
  return before.length;
}

function useTabDrag(ids: readonly string[], move: (id: string, to: number) => void) {
  const pressed = useRef<{ id: string; x: number } | null>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const end = () => {
    pressed.current = null;
    setDragged(null);
  };
  return {
    dragged,
    handlers: {
      onPointerDownCapture({ target, clientX, button }: PointerEvent<HTMLElement>): void {
        const tab = target instanceof Element ? target.closest('[role=tab]') : null;
        const id = tab?.getAttribute('data-key');
        if (button === 0 && id) pressed.current = { id, x: clientX };
      },
      onPointerMove({ clientX, currentTarget, pointerId, buttons }: PointerEvent<HTMLElement>): void {
        const press = pressed.current;
        if (!press) return;
        if (buttons === 0) return end();
        if (dragged === null) {
          if (Math.abs(clientX - press.x) < threshold) return;
          setDragged(press.id);
          currentTarget.setPointerCapture(pointerId);
        }
        const edges = [...currentTarget.querySelectorAll('[role=tab]')].map((tab) => {
          const { left, right } = tab.getBoundingClientRect();
          return [left, right] as const;
        });
        const at = ids.indexOf(press.id);
        const to = dropIndex(clientX, at, edges);
        if (to !== at) move(press.id, to);
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };
}

interface TabMenuProps {
  readonly tab: Tab;
  readonly at: RefObject<Element | null>;
  readonly onClose: () => void;
}

type MenuAction = keyof typeof words.tabs.actions;
/** In the order of the menu. */
const menuActions = Object.keys(words.tabs.actions).filter(
  (id): id is MenuAction => id in words.tabs.actions,
);

export function TabMenu({ tab, at, onClose }: TabMenuProps) {
  const { tabs } = useSession();
  const { active, neighbor } = useSessionState('tabs', (state) => state);
  const isInView = tab.id === active || tab.id === neighbor?.id;
  const act: Record<MenuAction, Action> = {
    ...tabActions(tabs, tab.id),
    tabBeside: isInView ? null : () => tabs.actions.showBeside(tab.id),
  };
  return (
    <Popover
      className="popover"
      aria-label={words.tabs.menu(tabTitle(tab))}
      triggerRef={at}
      isOpen
      onOpenChange={(open) => !open && onClose()}
      placement="bottom start"
    >
      <Menu
        className="menu"
        aria-label={words.tabs.menu(tabTitle(tab))}
        // oxlint-disable-next-line no-autofocus -- a menu that was asked for takes the focus
        autoFocus="first"
        disabledKeys={menuActions.filter((action) => act[action] === null)}
        onClose={onClose}
        onAction={(key) =>
          menuActions.filter((action) => action === key).forEach((action) => act[action]?.())
        }
      >
        {menuActions.map((action) => (
          <MenuItem key={action} id={action} textValue={words.tabs.actions[action]} className="menu-item">
            <span className="menu-text">{words.tabs.actions[action]}</span>
            <MenuKeys action={action} />
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  );
}

function MenuKeys({ action }: { action: MenuAction }) {
  // The command for a split view shows the next tab.
  const shortcut = useAppState('commands', (state) =>
    action === 'tabBeside' ? undefined : currentShortcuts(state, action)[0],
  );
  // Only the tab itself handles the key for renaming.
  const keys = action === 'tabRename' ? 'F2' : shortcut && shortcutText(shortcut, isMac());
  return keys !== undefined && <Keyboard className="quiet one-line">{keys}</Keyboard>;
}

interface RenameTabProps {
  readonly tab: Tab;
  readonly elementOf: (id: string) => Element | null;
  readonly onClose: () => void;
}

export function RenameTab({ tab, elementOf, onClose }: RenameTabProps) {
  const { rename } = useSession().tabs.actions;
  const [at] = useState(() => ({ current: elementOf(tab.id) }));
  const [name, setName] = useState(tab.name ?? tabTitle(tab));
  return (
    <PopupAt at={at} heading={words.tabs.renameHeading} placement="bottom start" onClose={onClose}>
      <Form
        className="stack gap-3"
        onSubmit={() => {
          rename(tab.id, name === tabTitle({ ...tab, name: null }) ? null : name);
          onClose();
        }}
      >
        <TextField
          label={words.tabs.name}
          name="name"
          value={name}
          onChange={setName}
          note={words.tabs.nameNote}
          // oxlint-disable-next-line no-autofocus -- the one field of a popup that was asked for
          autoFocus
        />
        <Button type="submit" variant="primary" className="self-start">
          {words.tabs.rename}
        </Button>
      </Form>
    </PopupAt>
  );
}

function useTitle(tab: Tab): string {
  const { content } = tab;
  return useSyncExternalStore(content?.watch ?? watchNothing, () => tabTitle(tab));
}
const watchNothing = () => () => undefined;

function TabHead({ tab, isDragged, isPreview }: { tab: Tab; isDragged: boolean; isPreview: boolean }) {
  const { id } = tab;
  const title = useTitle(tab);
  const [well, ...otherWells] = tab.wells;
  const { close, pin: keep } = useSession().tabs.actions;
  // The middle button closes a tab; it must not scroll.
  const onMiddle = (event: PointerEvent | React.MouseEvent) => {
    if (event.button !== 1) return;
    event.preventDefault();
    if (event.type === 'auxclick') close(id);
  };
  return (
    <AriaTab
      id={id}
      className={`tab hoverable focus-inside row gap-1 flex-none quiet ${isDragged ? 'tab-dragged' : ''} ${isPreview ? 'tab-preview' : ''}`}
      aria-label={isPreview ? words.tabs.preview(title) : title}
      onDoubleClick={() => keep(id)}
      onMouseDown={onMiddle}
      onAuxClick={onMiddle}
    >
      {well && otherWells.length === 0 && <WellDot assetId={well.assetId} />}
      <span className="tab-title ellipsis" title={isPreview ? words.tabs.previewNote(title) : title}>
        {title}
      </span>
      <span
        aria-hidden="true"
        className="tab-close center round"
        title={words.tabs.close(title)}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          close(id);
        }}
      >
        <X size={12} />
      </span>
    </AriaTab>
  );
}

const idOf = (target: EventTarget): string | null =>
  target instanceof Element ? (target.closest('[role=tab]')?.getAttribute('data-key') ?? null) : null;

const tabElement = (strip: Element | null, id: string): Element | null =>
  strip?.querySelector(`[data-key="${CSS.escape(id)}"]`) ?? null;

export function TabStrip({ tabs, onNew }: { tabs: readonly Tab[]; onNew: () => void }) {
  const active = useSessionState('tabs', (state) => state.active);
  const preview = useSessionState('tabs', (state) => state.preview);
  const openForm = useSessionState('tabs', (state) => state.openForm);
  const { close, move, show, showForm } = useSession().tabs.actions;
  const newKeys = useShortcut('tabNew');
  const strip = useRef<HTMLDivElement>(null);
  /** The tab whose menu or form is open. */
  const element = useRef<Element>(null);
  const [menuOf, setMenuOf] = useState<string | null>(null);
  const { dragged, handlers } = useTabDrag(
    tabs.map(({ id }) => id),
    move,
  );
  const openMenu = (id: string) => {
    element.current = tabElement(strip.current, id);
    setMenuOf(id);
  };
  const renamed = openForm?.form === 'rename' ? tabs.find(({ id }) => id === openForm.tab) : undefined;
  useEffect(() => {
    const list = strip.current?.firstElementChild;
    if (active === null || !strip.current || !list) return undefined;
    // A new tab renders a little later, the title of an upload grows with its file, and the window can shrink.
    const observer = new ResizeObserver(() =>
      tabElement(strip.current, active)?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    );
    observer.observe(list);
    observer.observe(strip.current);
    return () => observer.disconnect();
  }, [active]);

  const openCount = useRef(tabs.length);
  useEffect(() => {
    const isClosed = tabs.length < openCount.current;
    openCount.current = tabs.length;
    const { activeElement, body } = document;
    if (!isClosed || active === null || (activeElement && activeElement !== body)) return;
    // The element with the focus was in the closed tab.
    const head = tabElement(strip.current, active);
    if (head instanceof HTMLElement) head.focus();
  }, [tabs, active]);

  const onKeyDown = (event: KeyboardEvent) => {
    const id = idOf(event.target);
    if (!id) return;
    if (event.key === 'Delete') close(id);
    else if (event.key === 'F2') showForm({ tab: id, form: 'rename' });
    else return;
    event.preventDefault();
  };
  const subject = tabs.find(({ id }) => id === menuOf);
  const shown = tabs.find(({ id }) => id === active);
  return (
    <div className="tab-strip row gap-0 items-stretch flex-none line-below surface-quiet">
      {/* A tab can't contain a button for the keyboard or a screen reader: its actions are those of the strip. */}
      {/* oxlint-disable-next-line no-static-element-interactions -- the tabs inside are the elements that are acted upon */}
      <div
        ref={strip}
        className="tab-scroll min-0"
        onKeyDown={onKeyDown}
        onContextMenu={(event) => {
          const id = idOf(event.target);
          if (!id) return;
          event.preventDefault();
          openMenu(id);
        }}
        onWheel={({ currentTarget, deltaX, deltaY }) => {
          if (deltaX === 0) currentTarget.scrollLeft += deltaY;
        }}
        {...handlers}
      >
        <TabList
          className="tab-list row gap-0 items-stretch full"
          aria-label={words.tabs.label}
          items={tabs}
          dependencies={[dragged, preview]}
        >
          {(tab) => <TabHead tab={tab} isDragged={dragged === tab.id} isPreview={preview === tab.id} />}
        </TabList>
      </div>
      <span className="tab-strip-end row gap-0 flex-none">
        <Button variant="quiet" icon={Plus} aria-label={words.tabs.new} keys={newKeys} onPress={onNew} />
        <MenuButton
          label={words.tabs.all(tabs.length)}
          icon={ChevronDown}
          items={tabs.map((tab) => ({ id: tab.id, text: tabTitle(tab) }))}
          {...(active === null ? {} : { current: active })}
          onSelect={show}
        />
        {shown?.content?.renderStripPart(shown)}
      </span>
      {subject && <TabMenu key={subject.id} tab={subject} at={element} onClose={() => setMenuOf(null)} />}
      {renamed && (
        <RenameTab
          key={renamed.id}
          tab={renamed}
          elementOf={(id) => tabElement(strip.current, id)}
          onClose={() => showForm(null)}
        />
      )}
    </div>
  );
}
