import { createContext, use } from 'react';
import { featureContext } from '../../state/context.tsx';
import type { ConnectionsActions, ConnectionsState } from './connections.ts';
import type { DoctorActions, DoctorState } from './doctor.ts';
import type { ProfileShares } from './profile-shares.ts';

export const {
  Provide: ProvideConnections,
  useState: useConnections,
  useActions: useConnectionsActions,
} = featureContext<ConnectionsState, ConnectionsActions>('connections');

export const {
  Provide: ProvideDoctor,
  useState: useDoctor,
  useActions: useDoctorActions,
} = featureContext<DoctorState, DoctorActions>('doctor');

const sharesContext = createContext<ProfileShares | null>(null);

/** Gives the start screen the ways to export and import connections. */
export const ProvideProfileShares = sharesContext.Provider;

/** The ways to export and import connections. */
export function useProfileShares(): ProfileShares {
  const shares = use(sharesContext);
  if (!shares) throw new Error('the sharing of connections is not provided here');
  return shares;
}
