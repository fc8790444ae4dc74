import { createQualityRun } from '../../quality/quality-run.ts';
import type { UploadDependencies, UploadStore } from '../upload-state.ts';

const comparedParts = ['file', 'reading', 'dataset', 'choices', 'wellZone'] as const;

/** Compares the rows of a file with records. Other choices clear it: it shows what the upload would not do. */
export function createComparison(store: UploadStore, dependencies: UploadDependencies) {
  const comparison = createQualityRun(dependencies);
  store.subscribe((now, before) => {
    if (comparedParts.some((part) => now[part] !== before[part])) comparison.reset();
  });
  return comparison;
}
