import { type AssetId, companiesOf, scopeOf, type ScopedWell } from '../../../shared/wells/wells.ts';

/**
 * The selected wells as queries on datasets refer to them: asset ids, and companies for datasets that belong
 * to companies.
 */
export interface WellIds {
  readonly assets: AssetId[];
  readonly companies: number[];
}

export const wellIdsOf = (wells: readonly ScopedWell[]): WellIds => ({
  assets: scopeOf(wells),
  companies: companiesOf(wells),
});
