import type { AssetId } from '../../../shared/wells/well-ids.ts';
import { companiesOf, scopeOf, type ScopedWell } from '../wells/scope.ts';

/** The chosen wells as a question about datasets names them: asset ids, and companies for datasets that belong to those. */
export interface ChosenWells {
  readonly assets: AssetId[];
  readonly companies: number[];
}

export const chosenWells = (wells: readonly ScopedWell[]): ChosenWells => ({
  assets: scopeOf(wells),
  companies: companiesOf(wells),
});
