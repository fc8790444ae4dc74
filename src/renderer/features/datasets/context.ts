import { featureContext } from '../../state/context.tsx';
import type { DatasetsActions, DatasetsState } from './datasets-state.ts';

export const {
  Provide: ProvideDatasets,
  useState: useDatasets,
  useActions: useDatasetsActions,
} = featureContext<DatasetsState, DatasetsActions>('datasets');
