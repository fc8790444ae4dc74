import { SessionContext } from '../state/contexts.ts';
import type { Connection } from '../../shared/connections/connections.ts';
import { DropOverlay } from '../features/upload/file/drop-overlay.tsx';
import type { Session } from './session.ts';
import { Shell } from './shell.tsx';

/** The window of one open connection, with what is its own. */
export default function SessionWindow({ session, connection }: { session: Session; connection: Connection }) {
  return (
    <SessionContext value={session}>
      <Shell
        connection={connection}
        onOpenDataset={session.openDataset}
        onOpenAnother={session.openAnother}
        onBrowse={session.openBrowse}
      />
      <DropOverlay uploads={session.uploads} />
    </SessionContext>
  );
}
