import { featureContext } from '../../state/context.tsx';
import type { OpenedActions, OpenedState } from './opened.ts';

export const {
  Provide: ProvideOpened,
  useState: useOpened,
  useActions: useOpenedActions,
} = featureContext<OpenedState, OpenedActions>('opened');
