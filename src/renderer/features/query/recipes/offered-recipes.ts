import { useCallback } from 'react';
import type { Dataset, DatasetType } from '../../../../shared/datasets/datasets.ts';
import { useApp, useSession } from '../../../contexts.ts';
import type { QueryTab } from '../query-tab.ts';
import type { RecipeKind } from './recipes.ts';
import type { RecipeStart } from './start-recipe.ts';

interface OfferedRecipes {
  /** The questions that records answer, the usual ones first. */
  readonly ofQuery: readonly RecipeKind[];
  /** Those that calculate from one column with measurements. */
  readonly ofColumn: readonly RecipeKind[];
}

const recipesByType: Readonly<Record<DatasetType, OfferedRecipes>> = {
  time: {
    ofQuery: ['states', 'connections', 'days', 'daily', 'tops', 'resample'],
    ofColumn: ['tops', 'daily', 'average'],
  },
  depth: { ofQuery: ['tops', 'resampleAll', 'top'], ofColumn: ['tops', 'average', 'top'] },
  reference: { ofQuery: ['path', 'list', 'pivot'], ofColumn: [] },
  timeseries: { ofQuery: ['resample', 'average', 'pivot'], ofColumn: ['resample', 'average', 'top'] },
};

export const offeredRecipes = ({ type }: Pick<Dataset, 'type'>): OfferedRecipes =>
  recipesByType[type ?? 'time'];

export const recipesOfWell: readonly RecipeKind[] = ['states', 'connections', 'days', 'tops'];

/**
 * Starts a recipe for the records of a tab's query.
 * @param value the dotted path of the column whose values it calculates from; null: the usual one
 * @param conditions of the records, as sent; null: those that are typed
 */
export function startRecipeOf(
  app: RecipeStart['app'],
  session: RecipeStart['session'],
  tab: QueryTab,
  kind: RecipeKind,
  value: string | null = null,
  conditions: string | null = null,
): void {
  void tab.actions.startRecipe(async (signal) => {
    // Recipes are large, and rarely needed.
    const { startRecipe } = await import('./start-recipe.ts');
    return startRecipe(kind, { app, session, tab, value, conditions }, signal);
  });
}

export function useRecipeStart(
  tab: QueryTab,
): (kind: RecipeKind, value?: string | null, conditions?: string | null) => void {
  const app = useApp();
  const session = useSession();
  return useCallback((...recipe) => startRecipeOf(app, session, tab, ...recipe), [app, session, tab]);
}
