import { useMemo, useState } from 'react';
import { Menu } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { menuSections, type MenuParts } from './menu-button.tsx';

export interface ContextMenuProps {
  readonly label: string;
  /** The position in pixels; another object: the menu is opened again. */
  readonly at: { readonly x: number; readonly y: number };
  readonly parts: MenuParts;
  readonly onClose: () => void;
}

/** The focus returns afterwards. */
export function ContextMenu({ label, at, parts, onClose }: ContextMenuProps) {
  const [place, setPlace] = useState<HTMLSpanElement | null>(null);
  const [before] = useState(() => document.activeElement);
  // What is loaded while it is open moves no item away from the pointer.
  const [shown, setShown] = useState({ at, parts });
  if (shown.at !== at) setShown({ at, parts });
  const trigger = useMemo(() => ({ current: place }), [place]);
  const close = () => {
    onClose();
    if (before instanceof HTMLElement) before.focus();
  };
  return (
    <>
      <span ref={setPlace} style={{ position: 'fixed', left: at.x, top: at.y }} />
      <Popover
        className="popover"
        aria-label={label}
        triggerRef={trigger}
        isOpen={place !== null}
        placement="bottom start"
        onOpenChange={(next) => {
          if (!next) close();
        }}
      >
        <Menu
          className="menu menu-long"
          aria-label={label}
          // oxlint-disable-next-line no-autofocus -- a menu that was asked for has the focus; it goes back when it closes
          autoFocus="first"
          onClose={close}
        >
          {menuSections(shown.parts)}
        </Menu>
      </Popover>
    </>
  );
}
