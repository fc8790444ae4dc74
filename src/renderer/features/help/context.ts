import { featureContext } from '../../state/context.tsx';
import type { HelpActions, HelpState } from './help.ts';

export const {
  Provide: ProvideHelp,
  useState: useHelp,
  useActions: useHelpActions,
} = featureContext<HelpState, HelpActions>('help');
