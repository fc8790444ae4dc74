import { featureContext } from '../../state/context.tsx';
import type { SavedActions, SavedState } from './saved.ts';

export const {
  Provide: ProvideSaved,
  useState: useSaved,
  useActions: useSavedActions,
} = featureContext<SavedState, SavedActions>('saved');
