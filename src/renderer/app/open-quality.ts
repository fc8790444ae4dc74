import type { Dataset, DatasetAddress } from '../../shared/datasets/datasets.ts';
import type { QualityJob } from '../../shared/jobs/jobs.ts';
import { queryOfWells } from '../../shared/language/scope.ts';
import {
  createQualityTab,
  type QualitySubject,
  type QualityTab,
} from '../features/quality-tab/quality-tab.ts';
import type { QualityTabDependencies } from '../features/quality-tab/quality-tab.ts';
import type { ScopedWell } from '../features/wells/scope.ts';
import { words } from '../words/words.ts';
import type { Tabs } from './tabs.ts';

interface OpenQualityDependencies extends QualityTabDependencies {
  readonly connection: string;
  readonly tabs: Tabs;
  readonly selectedWells: () => readonly ScopedWell[];
  /** Shows the connection of a job; null: it is this one. */
  readonly openElsewhere: (name: string) => { openReport: (job: QualityJob) => Promise<void> } | null;
  readonly findDataset: (address: DatasetAddress) => Promise<Dataset>;
}

/** Creates checks of datasets, and opens them in tabs. */
export function createQualityLinks({
  connection,
  tabs,
  selectedWells,
  findDataset,
  openElsewhere,
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
    /**
     * Opens the report of a check in its tab; in a new one if it has none.
     * @throws AppError if the dataset or the job can't be found
     */
    async openReport(job: QualityJob): Promise<void> {
      const other = openElsewhere(job.connection);
      if (other) return other.openReport(job);
      const { id, address } = job;
      const known = tabs.store
        .getState()
        .tabs.find((tab) => tab.kind === 'quality' && tab.model.run.store.getState().job === id);
      if (known) {
        return tabs.actions.show(known.id);
      }
      const [dataset, found] = await Promise.all([
        findDataset(address),
        dependencies.api.quality.report({ job: id }),
      ]);
      const { query } = found.kind === 'check' ? found : { query: found.report.queries.source ?? '{}' };
      const title = words.quality.tab.title(dataset.dataset);
      tabs.actions.open({ kind: 'quality', title, model: make({ dataset, query, job: id }) });
    },
  };
}
