import type { AssetId } from '../../../shared/wells/well-ids.ts';
import { companiesOf, scopeOf, type ScopedWell } from '../wells/scope.ts';

/**
 * The selected wells as queries on datasets refer to them: asset ids, and companies for datasets that belong
 * to companies.
 */
export interface SelectedWells {
  readonly assets: AssetId[];
  readonly companies: number[];
}

export const selectedWells = (wells: readonly ScopedWell[]): SelectedWells => ({
  assets: scopeOf(wells),
  companies: companiesOf(wells),
});
