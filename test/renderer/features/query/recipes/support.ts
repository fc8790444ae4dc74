import { noSynonyms } from '../../../../../src/shared/channels/channels.ts';
import type { SqlColumn, SqlTable } from '../../../../../src/shared/sql/sql.ts';
import { noFacts, type RecipeForm } from '../../../../../src/renderer/features/query/recipes/recipe-needs.ts';

/** A column of numbers. */
export const numbers = (name: string, change: Partial<SqlColumn> = {}): SqlColumn => ({
  name,
  type: 'DOUBLE',
  unit: null,
  ...change,
});

/** The form of a table with these columns. */
export function formOf(columns: readonly SqlColumn[] = []): RecipeForm {
  const table = { name: 'rig', origin: 'file', label: 'rig', rows: 1, total: null } as const;
  const about: SqlTable = { ...table, columns: [...columns], keepsNulls: false, notes: [] };
  return {
    tables: [about],
    facts: noFacts,
    synonyms: noSynonyms,
    wellNames: new Map(),
    texts: {},
    table: about,
    other: undefined,
    columns: new Map(),
  };
}
