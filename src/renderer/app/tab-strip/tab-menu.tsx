import { useState, type RefObject } from 'react';
import { Keyboard } from 'react-aria-components/Keyboard';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Button } from '../../ui/button.tsx';
import { PopupAt } from '../../ui/popup.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import { useTabs, useTabsActions, type Tab } from '../tabs.ts';
import { titleOf } from './tab-head.tsx';

export interface TabPopoverProps {
  readonly tab: Tab;
  /** The tab's own element, which it stands at. */
  readonly at: RefObject<Element | null>;
  readonly onClose: () => void;
}

type Action = keyof typeof words.tabs.actions;
const actionsInOrder: readonly Action[] = [
  'rename',
  'duplicate',
  'left',
  'right',
  'beside',
  'close',
  'others',
  'reopen',
];
const keys: Partial<Record<Action, string>> = words.tabs.keys;

/** What can be done with a tab: by the right mouse button, or the menu key. */
export function TabMenu({ tab, at, onClose, onRename }: TabPopoverProps & { readonly onRename: () => void }) {
  const tabs = useTabs((state) => state.tabs);
  const closed = useTabs((state) => state.closed.length);
  const active = useTabs((state) => state.active);
  const beside = useTabs((state) => state.beside);
  const { duplicate, move, showBeside, close, closeOthers, reopen } = useTabsActions();
  const place = tabs.findIndex(({ id }) => id === tab.id);
  const disabled: Action[] = [
    ...(place === 0 ? ['left' as const] : []),
    ...(place === tabs.length - 1 ? ['right' as const] : []),
    ...(tabs.length === 1 ? ['others' as const] : []),
    ...(tab.id === active || tab.id === beside ? ['beside' as const] : []),
    ...(closed === 0 ? ['reopen' as const] : []),
  ];
  const act: Record<Action, () => void> = {
    rename: onRename,
    duplicate: () => duplicate(tab.id),
    left: () => move(tab.id, place - 1),
    right: () => move(tab.id, place + 1),
    beside: () => showBeside(tab.id),
    close: () => close(tab.id),
    others: () => closeOthers(tab.id),
    reopen,
  };
  return (
    <Popover
      className="popover"
      aria-label={words.tabs.menu(titleOf(tab))}
      triggerRef={at}
      isOpen
      onOpenChange={(open) => !open && onClose()}
      placement="bottom start"
    >
      <Menu
        className="menu"
        aria-label={words.tabs.menu(titleOf(tab))}
        // oxlint-disable-next-line no-autofocus -- a menu that was asked for is where the keyboard goes on
        autoFocus="first"
        disabledKeys={disabled}
        onClose={onClose}
        onAction={(key) =>
          actionsInOrder.filter((action) => action === key).forEach((action) => act[action]())
        }
      >
        {actionsInOrder.map((action) => (
          <MenuItem key={action} id={action} textValue={words.tabs.actions[action]} className="menu-item">
            <span className="menu-text">{words.tabs.actions[action]}</span>
            {keys[action] !== undefined && <Keyboard className="quiet menu-note">{keys[action]}</Keyboard>}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  );
}

/** Gives a tab another name. */
export function RenameTab({ tab, at, onClose }: TabPopoverProps) {
  const { rename } = useTabsActions();
  const [name, setName] = useState(tab.name ?? titleOf(tab));
  return (
    <PopupAt at={at} heading={words.tabs.renameHeading} placement="bottom start" onClose={onClose}>
      <form
        className="tab-rename"
        onSubmit={(event) => {
          event.preventDefault();
          rename(tab.id, name === titleOf({ ...tab, name: null }) ? null : name);
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
        <Button type="submit" variant="primary">
          {words.tabs.rename}
        </Button>
      </form>
    </PopupAt>
  );
}
