import { ChevronDown, LayoutList, X } from 'lucide-react';
import { valueOr } from '../../state/loadable.ts';
import { MenuButton } from '../../ui/menu-button.tsx';
import { words } from '../../words/words.ts';
import { useConnections, useConnectionsActions } from './context.ts';

const leave = 'leave';
const close = 'close';

/** Which connection the window shows, and the way to another. */
export function ConnectionMenu() {
  const current = useConnections((state) => state.current);
  const list = useConnections((state) => state.list);
  const actions = useConnectionsActions();
  if (!current) return null;
  const connections = valueOr(list, [current]);
  const notes = [
    words.connection.methods[current.method],
    ...(current.sample ? [words.connection.sample] : [words.connection.secrets[current.secret]]),
    ...(current.readOnly ? [words.connection.readOnly] : []),
  ];
  return (
    <MenuButton
      label={words.connection.menu(current.name)}
      current={current.id}
      items={[
        ...connections.map(({ id, name }) => ({ id, text: name })),
        { id: leave, text: words.connection.leave, icon: LayoutList },
        { id: close, text: words.connection.closeOne(current.name), icon: X },
      ]}
      onChoose={(id) => {
        if (id === leave) actions.leave();
        if (id === close) actions.close(current.id);
        const chosen = connections.find((connection) => connection.id === id);
        if (chosen && chosen.id !== current.id) actions.open(chosen);
      }}
    >
      <span className="dot" data-color={current.color} aria-hidden />
      <span className="connection-name">{current.name}</span>
      <span className="quiet">({notes.join(', ')})</span>
      <ChevronDown size={14} aria-hidden />
    </MenuButton>
  );
}
