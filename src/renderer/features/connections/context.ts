import { featureContext } from '../../state/context.tsx';
import type { ConnectionsActions, ConnectionsState } from './connections.ts';

export const {
  Provide: ProvideConnections,
  useState: useConnections,
  useActions: useConnectionsActions,
} = featureContext<ConnectionsState, ConnectionsActions>('connections');
