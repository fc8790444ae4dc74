import { ChevronDown, Copy, LayoutList, Pencil, Stethoscope, X } from 'lucide-react';
import { type Connection, connectionColor } from '../../../shared/connections/connections.ts';
import { valueOr } from '../../state/loadable.ts';
import { type Icon, Button } from '../../ui/button.tsx';
import { MenuButton, type MenuChoices } from '../../ui/menu-button.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { notesOn } from './connection-row.tsx';
import { closeConnection, isEditable, signInReason } from './connections.ts';
import { useState } from 'react';
import { describeKeychain, withoutAdvice } from '../../../shared/errors/sentences.ts';
import { Alert } from '../../ui/alert.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { AuthenticateForm } from './authenticate-form.tsx';
import { DiagnosticsPanel } from './diagnostics-panel.tsx';

const w = words.connection;

const dots: ReadonlyMap<Connection['color'], Icon> = new Map(
  connectionColor.options.map((color) => [
    color,
    function Dot() {
      return <span className="dot" data-color={color} aria-hidden />;
    },
  ]),
);

export function ConnectionMenu() {
  const { current, open, list } = useAppState('connections', (state) => state);
  const app = useApp();
  const { actions } = app.connections;
  const { start } = app.diagnostics.actions;
  if (!current) return null;
  const { id: shown, name } = current;
  const connections = valueOr(list, [current]);
  // Connections without credentials are opened on the start screen, which asks for them.
  const ready = connections.filter(({ id, secret }) => open.has(id) || secret !== 'missing');
  const canEdit = isEditable(current);
  const menuActions: MenuChoices = [
    canEdit && { id: 'edit', text: w.edit, icon: Pencil, run: () => actions.edit(shown) },
    canEdit && { id: 'duplicate', text: w.duplicate, icon: Copy, run: () => void actions.duplicate(shown) },
    {
      id: 'diagnose',
      text: w.diagnose,
      icon: Stethoscope,
      run: () => void start({ id: shown, name, subject: { connection: shown } }),
    },
    { id: 'leave', text: w.leave, icon: LayoutList, run: actions.leave },
    { id: 'close', text: w.closeOne(name), icon: X, run: () => closeConnection(app, shown) },
  ];
  return (
    <MenuButton
      label={w.menu(name)}
      current={shown}
      items={ready.map(({ id, name: text, color }) => ({ id, text, icon: dots.get(color) }))}
      more={menuActions}
      onSelect={(id) => {
        const selected = connections.find((connection) => connection.id === id);
        if (selected && id !== shown) actions.open(selected);
      }}
    >
      <span className="dot" data-color={current.color} aria-hidden />
      <span className="max-text bold ellipsis">{name}</span>
      <span className="quiet connection-notes">({notesOn(current).join(', ')})</span>
      <ChevronDown size={14} aria-hidden />
    </MenuButton>
  );
}

export function ConnectionNotices({ connection }: { connection: Connection }) {
  const isDiagnosed = useAppState('diagnostics', (state) => state.target?.id === connection.id);
  const isAsked = signInReason(connection) !== null || isLocked(connection);
  if (!isAsked && !isDiagnosed) return null;
  return (
    <aside className="connection-notices flex-none scroll stack gap-0" aria-label={w.menu(connection.name)}>
      {isAsked && <SignInNotice key={connection.id} connection={connection} />}
      <DiagnosticsPanel of={connection.id} />
    </aside>
  );
}

/** Whether the credentials are in a keychain that doesn't release them. */
const isLocked = ({ secret, keychain }: Connection): boolean =>
  secret === 'keychain' && keychain !== undefined;

function SignInNotice({ connection }: { connection: Connection }) {
  const [isFormOpen, setFormOpen] = useState(false);
  const reason = signInReason(connection);
  const { name, method, keychain, secret } = connection;
  const isFixed = secret === 'environment';
  const message = reason
    ? words.authenticating.refused[reason](name)
    : keychain
      ? `${name}: ${describeKeychain(keychain)}`
      : '';
  return (
    <>
      <Alert
        isStrip
        tone="warning"
        actions={
          !isFormOpen &&
          !isFixed && (
            <Button variant="primary" onPress={() => setFormOpen(true)}>
              {method === 'api_key' ? words.authenticating.giveKey : words.authenticating.giveLogin}
            </Button>
          )
        }
      >
        {isFixed ? withoutAdvice(message) : message}{' '}
        {isFixed ? words.authenticating.fixed : words.authenticating.goesOn}
      </Alert>
      {isFormOpen && (
        <KeepFocus>
          <AuthenticateForm
            connection={connection}
            onDone={() => setFormOpen(false)}
            onCancel={() => setFormOpen(false)}
          />
        </KeepFocus>
      )}
    </>
  );
}
