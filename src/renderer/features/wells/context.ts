import { featureContext } from '../../state/context.tsx';
import type { WellsActions, WellsState } from './wells-state.ts';

export const {
  Provide: ProvideWells,
  useState: useWells,
  useActions: useWellsActions,
} = featureContext<WellsState, WellsActions>('wells');
