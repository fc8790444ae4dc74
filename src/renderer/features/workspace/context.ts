import { featureContext } from '../../state/context.tsx';
import type { WorkspaceActions, WorkspaceState } from './workspace.ts';

export const {
  Provide: ProvideWorkspace,
  useState: useWorkspace,
  useActions: useWorkspaceActions,
} = featureContext<WorkspaceState, WorkspaceActions>('workspace');
