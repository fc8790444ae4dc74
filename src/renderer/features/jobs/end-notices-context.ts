import { featureContext } from '../../state/context.tsx';
import type { EndNoticesActions, EndNoticesState } from './end-notices.ts';

export const {
  Provide: ProvideEndNotices,
  useState: useEndNotices,
  useActions: useEndNoticesActions,
} = featureContext<EndNoticesState, EndNoticesActions>('end notices');
