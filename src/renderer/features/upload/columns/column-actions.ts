import type { Fold } from '../../../../shared/upload/upload.ts';
import { mappingOfMatch, type FieldMatch } from '../../../../shared/upload/proposals.ts';
import { targetKind, type UploadTabState } from '../upload-state.ts';
import { columnTypes, withWellMatch, suggestedChoice } from './fields.ts';
import {
  chooseColumn,
  chooseColumns,
  fillField,
  isAssetPath,
  joinColumns,
  retargeted,
  withNullText,
  withoutNullText,
  type ColumnChoice,
  type FieldSource,
  type MappingChoices,
} from './mapping-choices.ts';

interface ColumnActionsDependencies {
  readonly getState: () => UploadTabState;
  readonly setChoices: (choices: MappingChoices) => void;
}

/** What the user decides about columns, fields, and values. */
export function createColumnActions({ getState, setChoices }: ColumnActionsDependencies) {
  const targetOf = (column: string) =>
    getState().match.value?.columns.find((fieldMatch) => fieldMatch.column === column)?.to ?? null;

  const toOther = (column: string, to: string) => {
    const { choices, match } = getState();
    return retargeted(choices.columns[column], to, targetKind(match)(to));
  };

  const proposed = (column: string) => suggestedChoice(getState(), column);

  function mapColumn(column: string, choice: ColumnChoice | null): void {
    const namesWells = choice && !choice.skip && isAssetPath(choice.to);
    const { choices: now } = getState();
    const chosen = choice ?? proposed(column);
    const choices = chooseColumn(namesWells ? { ...now, usesFileWells: true } : now, column, chosen);
    setChoices(withWellMatch(choices, column, columnTypes(getState())));
  }

  return {
    mapColumn,
    /** Sets the target of a column, whose cells are read as before; null: the column is skipped; empty: no change. */
    setTarget(column: string, to: string | null) {
      if (to !== '') mapColumn(column, to === null ? { skip: true } : toOther(column, to));
    },
    /** Sends a column to a field that fits, with the conversion between their units; its cells are read as before. */
    selectMatch(column: string, match: FieldMatch) {
      mapColumn(column, { ...toOther(column, match.field), ...mappingOfMatch(match) });
    },
    /** Includes or skips columns. Included ones that were skipped are matched by name. */
    includeColumns(columns: readonly string[], isIncluded: boolean) {
      const { choices } = getState();
      const changed = columns.filter((column) => !isIncluded || choices.columns[column]?.skip);
      const chosen = changed.map(
        (column) => [column, isIncluded ? proposed(column) : ({ skip: true } as const)] as const,
      );
      setChoices(chooseColumns(choices, new Map(chosen)));
    },
    /** Joins columns to a mapped column; empty: no join. */
    joinColumn(column: string, join: readonly string[]) {
      const to = targetOf(column);
      if (to !== null) setChoices(joinColumns(getState().choices, column, to, join));
    },
    fill(path: string, source: FieldSource) {
      const { choices, match } = getState();
      const filledBy = match.value?.fields.find((field) => field.path === path)?.columns ?? [];
      // Selecting the column of the wells means that the wells in the file apply.
      const namedChoices = isAssetPath(path)
        ? { ...choices, usesFileWells: source.from === 'column' }
        : choices;
      const filled = fillField(namedChoices, path, filledBy, source, targetKind(match)(path));
      setChoices(
        source.from === 'column' ? withWellMatch(filled, source.column, columnTypes(getState())) : filled,
      );
    },
    setNulls: (nulls: readonly string[]) => setChoices({ ...getState().choices, nulls }),
    treatAsNull: (text: string) => setChoices(withNullText(getState().choices, text)),
    keepAsText: (text: string) => setChoices(withoutNullText(getState().choices, text)),
    /** @param exceptionShare the share, from 0 to 1, below which exceptions don't change a column's type */
    allowExceptions: (exceptionShare: number) => setChoices({ ...getState().choices, exceptionShare }),
    /** Combines rows into records; null: each row is a record. */
    combineRows: (fold: Fold | null) => setChoices({ ...getState().choices, fold: fold ?? undefined }),
    /** Reads a column of numbers as codes with leading zeros. @param digits their length */
    restoreZeros(column: string, digits: number) {
      const to = targetOf(column);
      if (to !== null) setChoices(chooseColumn(getState().choices, column, { to, type: 'string', digits }));
    },
  };
}
