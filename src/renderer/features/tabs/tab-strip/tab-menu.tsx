import { useState, type RefObject } from 'react';
import { Keyboard } from 'react-aria-components/Keyboard';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import type { CommandId } from '../../commands/command-table.ts';
import { currentShortcuts } from '../../commands/commands.ts';
import { isMac, shortcutText } from '../../commands/keys.ts';
import { Button } from '../../../ui/button.tsx';
import { PopupAt } from '../../../ui/popup.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { words } from '../../../words/words.ts';
import { tabTitle } from '../tab-title.ts';
import type { Tab } from '../tabs.ts';
import { useAppState, useSession, useSessionState } from '../../../contexts.ts';

interface TabMenuProps {
  readonly tab: Tab;
  /** The tab's element, which anchors the menu. */
  readonly at: RefObject<Element | null>;
  readonly onClose: () => void;
  readonly onRename: () => void;
}

type Action = keyof typeof words.tabs.actions;
const orderedActions: readonly Action[] = [
  'rename',
  'duplicate',
  'left',
  'right',
  'beside',
  'keep',
  'close',
  'others',
  'all',
  'reopen',
];
/** Actions with a shortcut. */
const commands: Partial<Record<Action, CommandId>> = {
  left: 'tabLeft',
  right: 'tabRight',
  close: 'tabClose',
  keep: 'tabKeep',
  others: 'tabOthers',
  all: 'tabAll',
  reopen: 'tabReopen',
};

/** The context menu of a tab. */
export function TabMenu({ tab, at, onClose, onRename }: TabMenuProps) {
  const tabs = useSessionState('tabs', (state) => state.tabs);
  const closed = useSessionState('tabs', (state) => state.closed.length);
  const active = useSessionState('tabs', (state) => state.active);
  const neighbor = useSessionState('tabs', (state) => state.neighbor);
  const preview = useSessionState('tabs', (state) => state.preview);
  const { duplicate, move, showBeside, keep, close, closeOthers, closeAll, reopen } =
    useSession().tabs.actions;
  const place = tabs.findIndex(({ id }) => id === tab.id);
  const disabled: Action[] = [
    ...(place === 0 ? ['left' as const] : []),
    ...(place === tabs.length - 1 ? ['right' as const] : []),
    ...(tabs.length === 1 ? ['others' as const] : []),
    ...(tab.id === active || tab.id === neighbor?.id ? ['beside' as const] : []),
    ...(tab.id === preview ? [] : ['keep' as const]),
    ...(closed === 0 ? ['reopen' as const] : []),
  ];
  const act: Record<Action, () => void> = {
    rename: onRename,
    duplicate: () => duplicate(tab.id),
    left: () => move(tab.id, place - 1),
    right: () => move(tab.id, place + 1),
    beside: () => showBeside(tab.id),
    keep: () => keep(tab.id),
    close: () => close(tab.id),
    others: () => closeOthers(tab.id),
    all: closeAll,
    reopen,
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
        disabledKeys={disabled}
        onClose={onClose}
        onAction={(key) =>
          orderedActions.filter((action) => action === key).forEach((action) => act[action]())
        }
      >
        {orderedActions.map((action) => (
          <MenuItem key={action} id={action} textValue={words.tabs.actions[action]} className="menu-item">
            <span className="menu-text">{words.tabs.actions[action]}</span>
            <MenuKeys action={action} />
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  );
}

function MenuKeys({ action }: { action: Action }) {
  const id = commands[action];
  const shortcut = useAppState('commands', (state) => id && currentShortcuts(state, id)[0]);
  // Only the tab itself handles the key for renaming.
  const keys = action === 'rename' ? 'F2' : shortcut && shortcutText(shortcut, isMac());
  return keys !== undefined && <Keyboard className="quiet menu-note">{keys}</Keyboard>;
}

interface RenameTabProps {
  readonly tab: Tab;
  readonly elementOf: (id: string) => Element | null;
  readonly onClose: () => void;
}

/** The form for a tab's name, at the tab. */
export function RenameTab({ tab, elementOf, onClose }: RenameTabProps) {
  const { rename } = useSession().tabs.actions;
  const [at] = useState(() => ({ current: elementOf(tab.id) }));
  const [name, setName] = useState(tab.name ?? tabTitle(tab));
  return (
    <PopupAt at={at} heading={words.tabs.renameHeading} placement="bottom start" onClose={onClose}>
      <form
        className="stack gap-3"
        onSubmit={(event) => {
          event.preventDefault();
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
      </form>
    </PopupAt>
  );
}
