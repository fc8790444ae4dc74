import { Check, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Button, type Icon } from './button.tsx';

export interface MenuChoice {
  readonly id: string;
  readonly text: string;
  readonly icon?: LucideIcon;
}

export interface MenuButtonProps {
  readonly label: string;
  readonly icon?: Icon;
  readonly children?: ReactNode;
  readonly items: readonly MenuChoice[];
  /** The item that holds now, where one of them does. */
  readonly current?: string;
  readonly onChoose: (id: string) => void;
}

/** A button that opens a menu. */
export function MenuButton({ label, icon, children, items, current, onChoose }: MenuButtonProps) {
  return (
    <MenuTrigger>
      <Button variant="quiet" aria-label={label} {...(icon ? { icon } : {})}>
        {children}
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu
          className="menu"
          aria-label={label}
          items={items}
          onAction={(key) => onChoose(String(key))}
          {...(current === undefined ? {} : { selectionMode: 'single', selectedKeys: [current] })}
        >
          {({ id, text, icon: Icon }) => (
            <MenuItem id={id} textValue={text} className="menu-item">
              {({ isSelected }) => (
                <>
                  {Icon && <Icon size={16} aria-hidden />}
                  <span className="menu-text">{text}</span>
                  {isSelected && <Check size={14} aria-hidden />}
                </>
              )}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
