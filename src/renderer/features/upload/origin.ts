import type { StoreApi } from 'zustand/vanilla';
import type { Dataset, DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { isRejectsHeader } from '../../../shared/upload/rejects-header.ts';
import type { Api } from '../../api/api.ts';
import { choicesOf } from './columns/templates.ts';
import type { UploadTabState } from './upload-state.ts';

export interface OriginNeeds {
  readonly store: StoreApi<UploadTabState>;
  readonly api: Pick<Api['upload'], 'origin'>;
  /** @throws AppError where the dataset is gone */
  readonly findDataset: (address: DatasetAddress) => Promise<Dataset>;
}

/**
 * Restores what was chosen for the upload whose rejected rows the file holds. Where that upload can't be found, or
 * something was chosen already, everything stays as it is.
 */
export async function restoreOrigin({ store, api, findDataset }: OriginNeeds): Promise<void> {
  const { file, preview, reading, choices } = store.getState();
  if (file.face !== 'granted' || preview.face !== 'full') return;
  if (!isRejectsHeader(preview.value.columns.map(({ key }) => key))) return;
  try {
    const origin = await api.origin({ source: file.file.token, reading });
    if (!origin) return;
    const dataset = await findDataset(origin);
    // Another file was taken meanwhile, or the person was quicker.
    const now = store.getState();
    if (now.file !== file || now.choices !== choices) return;
    const restored = origin.mapping ? { choices: choicesOf(origin.mapping) } : {};
    store.setState({ origin, dataset, existing: origin.existing, ...restored });
  } catch {
    // It is a convenience: without it the columns are mapped as those of any file.
  }
}
