import type { Dataset } from '../../shared/datasets/datasets.ts';
import { createQualityTab, type QualitySubject, type QualityTab } from '../features/quality/quality-tab.ts';
import { queryOfWells } from '../features/quality/range-query.ts';
import type { QualityTabDependencies } from '../features/quality/quality-tab.ts';
import type { ScopedWell } from '../features/wells/scope.ts';
import { words } from '../words/words.ts';
import type { Tabs } from './tabs.ts';

interface OpenQualityDependencies extends QualityTabDependencies {
  readonly connection: string;
  readonly tabs: Tabs;
  readonly selectedWells: () => readonly ScopedWell[];
}

/** Creates checks of datasets, and opens them in tabs. */
export function createQualityLinks({
  connection,
  tabs,
  selectedWells,
  ...dependencies
}: OpenQualityDependencies) {
  const make = (subject: Omit<QualitySubject, 'connection'>): QualityTab =>
    createQualityTab(dependencies, { connection, ...subject });
  return {
    make,
    /** Opens a check of the selected wells in a dataset. */
    open(dataset: Dataset): void {
      const query = queryOfWells(
        dataset.type,
        selectedWells().map(({ assetId }) => assetId),
      );
      const title = words.quality.tab.title(dataset.dataset);
      tabs.actions.open({ kind: 'quality', title, model: make({ dataset, query }) });
    },
  };
}
