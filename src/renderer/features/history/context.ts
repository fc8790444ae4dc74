import { featureContext } from '../../state/context.tsx';
import type { HistoryActions, HistoryState } from './history.ts';

export const {
  Provide: ProvideHistory,
  useState: useHistory,
  useActions: useHistoryActions,
} = featureContext<HistoryState, HistoryActions>('history');
