import { memo, useDeferredValue } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Collection } from 'react-aria-components/Collection';
import { Dialog } from 'react-aria-components/Dialog';
import { Header } from 'react-aria-components/Header';
import { Keyboard } from 'react-aria-components/Keyboard';
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchBox } from '../../ui/search-box.tsx';
import { Status } from '../../ui/status.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import type { Entry } from './command-table.ts';
import { isMac, shortcutText } from './keys.ts';
import './commands.css';

const w = words.commands;
const entriesInView = 16;

export function Palette() {
  const text = useAppState('commands', (state) => state.text);
  const entries = useAppState('commands', (state) => state.entries);
  // Those that fill the view are drawn first.
  const isWhole = useDeferredValue(true, false);
  const { show, seek, choose } = useApp().commands.actions;
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={show} className="palette-back">
      <Modal className="commands-palette wide popover">
        <Dialog aria-label={w.region} className="palette-dialog scroll">
          <Autocomplete inputValue={text} onInputChange={seek}>
            <div className="palette-search">
              <SearchBox
                label={w.search}
                placeholder={w.search}
                value={text}
                onChange={seek}
                // oxlint-disable-next-line no-autofocus -- the user opens the palette to type
                autoFocus
              />
            </div>
            <Status className="visually-hidden">{w.count(entries.length)}</Status>
            <Menu
              className="menu palette-list"
              aria-label={w.region}
              items={sections(isWhole ? entries : entries.slice(0, entriesInView))}
              onAction={(key) => choose(String(key))}
              renderEmptyState={() => <p className="pad-y-3 pad-x-2 quiet">{w.none}</p>}
            >
              {({ id, entries: some }) => (
                <MenuSection id={id}>
                  <Header className="menu-heading small quiet">{w.groups[id]}</Header>
                  <Collection items={some}>{(entry) => <EntryItem entry={entry} />}</Collection>
                </MenuSection>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

const sections = (all: readonly Entry[]) =>
  [...Map.groupBy(all, ({ group }) => group)].map(([id, entries]) => ({ id, entries }));

interface EntryItemProps {
  readonly entry: Entry;
}

/** Each letter finds new entries, most of which show the same as before. */
const isSameEntry = ({ entry: a }: EntryItemProps, { entry: b }: EntryItemProps): boolean =>
  a.id === b.id && a.text === b.text && a.note === b.note && a.shortcuts?.[0] === b.shortcuts?.[0];

const EntryItem = memo(function EntryItem({ entry: { id, text, note, shortcuts = [] } }: EntryItemProps) {
  const [shortcut] = shortcuts;
  return (
    <MenuItem id={id} textValue={note === undefined ? text : `${text}, ${note}`} className="menu-item">
      <span className="menu-text palette-text ellipsis">
        {text} {note !== undefined && <span className="quiet">{note}</span>}
      </span>
      {shortcut !== undefined && (
        <Keyboard className="quiet one-line">{shortcutText(shortcut, isMac())}</Keyboard>
      )}
    </MenuItem>
  );
}, isSameEntry);
