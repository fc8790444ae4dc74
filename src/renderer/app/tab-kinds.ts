import { datasetKind } from '../features/dataset-tab/dataset-kind.ts';
import { liveKind } from '../features/live/live-kind.ts';
import { qualityKind } from '../features/quality-tab/quality-kind.ts';
import { queryKind } from '../features/query/query-kind.ts';
import { reportKind } from '../features/report/report-kind.ts';
import type { RestorableKind } from '../features/tabs/tab-storage.ts';
import { uploadKind } from '../features/upload/upload-kind.ts';
import { browseKind } from '../features/wells/browse-kind.ts';

export const tabKinds: readonly RestorableKind[] = [
  queryKind,
  liveKind,
  qualityKind,
  datasetKind,
  reportKind,
  uploadKind,
  browseKind,
];
