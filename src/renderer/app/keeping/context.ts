import { featureContext } from '../../state/context.tsx';
import type { Keeping } from './keeping.ts';

export const {
  Provide: ProvideKeeping,
  useState: useKeeping,
  useActions: useKeepingActions,
} = featureContext<{ readonly problem: string | null }, Keeping['actions']>('keeping');
