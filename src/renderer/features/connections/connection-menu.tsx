import { ChevronDown, LayoutList, Pencil, Stethoscope, X } from 'lucide-react';
import { valueOr } from '../../state/loadable.ts';
import { MenuButton, type MenuChoice } from '../../ui/menu-button.tsx';
import { useApp, useAppState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { notesOn } from './connection-row.tsx';

const w = words.connection;

/** The current connection, other connections, and actions for the current one. */
export function ConnectionMenu() {
  const { current, open, list } = useAppState('connections', (state) => state);
  const actions = useApp().connections.actions;
  const { start } = useApp().diagnostics.actions;
  if (!current) return null;
  const { id: shown, name } = current;
  const known = valueOr(list, [current]);
  const others = known.filter(({ id, secret }) => !open.has(id) && secret !== 'missing');
  const isOwn = !current.sample && current.secret !== 'environment';
  const menuActions: readonly (MenuChoice & { readonly act: () => void })[] = [
    ...(isOwn ? [{ id: 'edit', text: w.edit, icon: Pencil, act: () => actions.edit(shown) }] : []),
    {
      id: 'diagnose',
      text: w.diagnose,
      icon: Stethoscope,
      act: () => void start({ id: shown, name, subject: { connection: shown } }),
    },
    { id: 'leave', text: w.leave, icon: LayoutList, act: actions.leave },
    { id: 'close', text: w.closeOne(name), icon: X, act: () => actions.close(shown) },
  ];
  return (
    <MenuButton
      label={w.menu(name)}
      current={shown}
      items={[
        ...[...open.values()].map((one) => ({ id: one.id, text: one.name })),
        ...others.map((one) => ({ id: one.id, text: w.openAnother(one.name) })),
        ...menuActions,
      ]}
      onSelect={(id) => {
        menuActions.find((order) => order.id === id)?.act();
        const chosen = known.find((connection) => connection.id === id);
        if (chosen && id !== shown) actions.open(chosen);
      }}
    >
      <span className="dot" data-color={current.color} aria-hidden />
      <span className="connection-name ellipsis">{name}</span>
      <span className="quiet connection-notes">({notesOn(current).join(', ')})</span>
      <ChevronDown size={14} aria-hidden />
    </MenuButton>
  );
}
