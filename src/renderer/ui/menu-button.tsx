import { Check } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Separator } from 'react-aria-components/Separator';
import { Button, type Icon } from './button.tsx';

export interface MenuChoice {
  readonly id: string;
  readonly text: string;
  readonly icon?: Icon | undefined;
  /** Absent: it is a value, which the menu selects. */
  readonly run?: (() => void) | undefined;
}

/** False: it isn't offered. */
export type MenuChoices = readonly (MenuChoice | false)[];

export interface MenuPart {
  readonly id: string;
  readonly heading: string;
  readonly items: MenuChoices;
}
export type MenuParts = readonly (MenuPart | false)[];

interface MenuOptions {
  readonly label: string;
  readonly icon?: Icon;
  readonly isWorded?: boolean;
  readonly children?: ReactNode;
}

export interface MenuButtonProps extends MenuOptions {
  readonly items: MenuChoices;
  readonly current?: string;
  /** Below a separator: what can be done, beside what can be selected. */
  readonly more?: MenuChoices;
  /** Selects a value; absent: all items do something. */
  readonly onSelect?: (id: string) => void;
}

function ButtonWithMenu({ label, menu, ...button }: MenuOptions & { readonly menu: ReactNode }) {
  return (
    <MenuTrigger>
      <Button variant="quiet" aria-label={label} {...button} />
      <Popover className="popover" placement="bottom end">
        {menu}
      </Popover>
    </MenuTrigger>
  );
}

export function MenuButton({ items, current, more, onSelect, ...button }: MenuButtonProps) {
  const { label } = button;
  const selection =
    current === undefined ? {} : ({ selectionMode: 'single', selectedKeys: [current] } as const);
  const menu = (
    <Menu
      className="menu"
      aria-label={label}
      onAction={(key) => onSelect?.(String(key))}
      {...(more ? {} : selection)}
    >
      {more ? (
        <>
          <MenuSection aria-label={label} {...selection}>
            {menuItems(items)}
          </MenuSection>
          <Separator className="menu-separator" />
          {menuItems(more)}
        </>
      ) : (
        menuItems(items)
      )}
    </Menu>
  );
  return <ButtonWithMenu {...button} menu={menu} />;
}

export interface PartsMenuButtonProps extends MenuOptions {
  /** Called when the menu opens. */
  readonly parts: () => MenuParts;
}

export const PartsMenuButton = ({ parts, ...button }: PartsMenuButtonProps) => (
  <ButtonWithMenu {...button} menu={<PartsMenu label={button.label} parts={parts} />} />
);

function PartsMenu({ label, parts }: Pick<PartsMenuButtonProps, 'label' | 'parts'>) {
  const [shown] = useState(parts);
  return (
    <Menu className="menu menu-long" aria-label={label}>
      {menuSections(shown)}
    </Menu>
  );
}

export const menuSections = (parts: MenuParts): ReactNode =>
  parts
    .filter((part) => part !== false)
    .map(({ id, heading, items }) => (
      <MenuSection key={id}>
        <Header className="menu-heading small quiet">{heading}</Header>
        {menuItems(items)}
      </MenuSection>
    ));

const menuItems = (items: MenuChoices): ReactNode => items.filter((item) => item !== false).map(menuItem);
const menuItem = ({ id, text, icon: Icon, run }: MenuChoice) => (
  <MenuItem key={id} id={id} textValue={text} className="menu-item" {...(run ? { onAction: run } : {})}>
    {({ isSelected }) => (
      <>
        {Icon && <Icon size={16} aria-hidden />}
        <span className="menu-text">{text}</span>
        {isSelected && <Check size={14} aria-hidden />}
      </>
    )}
  </MenuItem>
);
