import { createStore } from 'zustand/vanilla';
import { type Dataset, mirrorPartition } from '../../../shared/datasets/datasets.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import type { ColumnNames, ExportUnits } from '../../../shared/export/export.ts';
import type { Mirror } from '../../../shared/contract/export.ts';
import type { Api } from '../../api/api.ts';
import { idle, type Loadable } from '../../state/loadable.ts';
import { perform, Resource, valueOrFailure } from '../../state/resource.ts';

export interface MirrorsState {
  readonly isOpen: boolean;
  /** The dataset to mirror; null: the list alone is shown. */
  readonly dataset: Dataset | null;
  readonly list: Loadable<readonly Mirror[]>;
  /** Why the last update or removal failed. */
  readonly problem: AppError | null;
}

export interface MirrorChoice {
  readonly connection: string;
  readonly dataset: Dataset;
  /** Relaxed JSON. */
  readonly query: string;
  readonly period: 'day' | 'month';
  readonly overlapMs: number;
  readonly columnNames: ColumnNames;
  readonly units: ExportUnits;
  /** For a host without dialogs. */
  readonly folderName: string;
}

export type Mirrors = ReturnType<typeof createMirrors>;

/** Folders of Parquet files that are kept up to date. */
export function createMirrors(api: {
  readonly mirrors: Api['mirrors'];
  readonly export: Pick<Api['export'], 'start'>;
  readonly files: Pick<Api['files'], 'chooseFolder'>;
}) {
  const store = createStore<MirrorsState>()(() => ({
    isOpen: false,
    dataset: null,
    list: idle,
    problem: null,
  }));
  const lists = new Resource((_: null, signal) => api.mirrors.list({}, { signal }), {
    onChange: (list) => store.setState({ list: valueOrFailure(list) }),
  });

  async function change(call: () => Promise<unknown>): Promise<void> {
    await perform(call, (problem) => store.setState({ problem }));
    await lists.refresh(null);
  }

  return {
    store,
    actions: {
      /** Shows the list, and above it a form for a new mirror of a dataset. */
      show: (dataset: Dataset | null): void => store.setState({ isOpen: true, dataset, problem: null }),
      close: (): void => store.setState({ isOpen: false, dataset: null }),
      /** Reads the list. What is shown stays meanwhile. */
      load: (): Promise<void> => lists.refresh(null),
      /** Starts a mirror in a folder that the user selects. @throws AppError */
      async start(choice: MirrorChoice): Promise<void> {
        const { connection, dataset, query, period, overlapMs, columnNames, units, folderName } = choice;
        const folder = await api.files.chooseFolder({ name: folderName });
        if (!folder) return;
        await api.export.start({
          connection,
          provider: dataset.provider,
          dataset: dataset.dataset,
          query,
          format: 'parquet',
          columnNames,
          units,
          partition: mirrorPartition(dataset.type, period),
          mirror: { overlapMs },
          target: folder.token,
        });
        store.setState({ dataset: null });
        await lists.refresh(null);
      },
      update: (mirror: string): Promise<void> => change(() => api.mirrors.update({ mirror })),
      remove: (mirror: string): Promise<void> => change(() => api.mirrors.remove({ mirror })),
    },
  };
}
