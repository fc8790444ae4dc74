import type { Fold } from '../../../../shared/upload/upload.ts';
import { mappingOfMatch, type FieldMatch } from '../../../../shared/upload/proposals.ts';
import { isRejectColumn } from '../../../../shared/upload/templates.ts';
import { targetKind, type UploadTabState } from '../upload-state.ts';
import { withWellMatch, suggestedChoice } from './fields.ts';
import { isAssetPath } from '../../../../shared/datasets/datasets.ts';
import {
  chooseColumn,
  chooseColumns,
  fillField,
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

/**
 * The choices that include or skip columns. Included ones that were skipped get what is proposed for them, else are
 * matched by name. Those that a file of rejected rows adds are included one at a time only.
 */
function withColumns(state: UploadTabState, columns: readonly string[], isIncluded: boolean): MappingChoices {
  const { choices, match } = state;
  // Skipped although nobody chose that, such as the names of wells of an export.
  const skippedByName = new Set(
    (match.value?.columns ?? []).flatMap(({ column, to, joinedTo }) =>
      to === null && joinedTo === null && !Object.hasOwn(choices.columns, column) ? [column] : [],
    ),
  );
  const chosen = columns.flatMap((column): (readonly [string, ColumnChoice | null])[] => {
    if (!isIncluded) return [[column, { skip: true }]];
    const isSkippedByName = skippedByName.has(column) && (columns.length === 1 || !isRejectColumn(column));
    if (!choices.columns[column]?.skip && !isSkippedByName) return [];
    const proposal = suggestedChoice(state, column);
    if (proposal && !proposal.skip) return [[column, proposal]];
    const to = /^(?:meta)?data\./.test(column) ? column : `data.${column}`;
    return [[column, isSkippedByName ? { to } : null]];
  });
  return chooseColumns(choices, new Map(chosen));
}

/** What the user decides about columns, fields, and values. */
export function createColumnActions({ getState, setChoices }: ColumnActionsDependencies) {
  const targetOf = (column: string) =>
    getState().match.value?.columns.find((fieldMatch) => fieldMatch.column === column)?.to ?? null;

  const filledBy = (path: string): readonly string[] =>
    getState().match.value?.fields.find((field) => field.path === path)?.columns ?? [];

  const toOther = (column: string, to: string) => {
    const { choices, match } = getState();
    return retargeted(choices.columns[column], to, targetKind(match)(to));
  };

  function mapColumn(column: string, choice: ColumnChoice | null): void {
    const namesWells = choice && !choice.skip && isAssetPath(choice.to);
    const { choices: now } = getState();
    const chosen = choice ?? suggestedChoice(getState(), column);
    const choices = chooseColumn(namesWells ? { ...now, usesFileWells: true } : now, column, chosen);
    setChoices(withWellMatch(choices, column, getState().match));
  }

  function fill(path: string, source: FieldSource): void {
    const { choices, match } = getState();
    // Selecting the column of the wells means that the wells in the file apply.
    const namedChoices = isAssetPath(path)
      ? { ...choices, usesFileWells: source.from === 'column' }
      : choices;
    const filled = fillField(namedChoices, path, filledBy(path), source, targetKind(match)(path));
    setChoices(source.from === 'column' ? withWellMatch(filled, source.column, match) : filled);
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
    includeColumns: (columns: readonly string[], isIncluded: boolean) =>
      setChoices(withColumns(getState(), columns, isIncluded)),
    /** Joins columns to a mapped column; empty: no join. */
    joinColumn(column: string, join: readonly string[]) {
      const to = targetOf(column);
      if (to !== null) setChoices(joinColumns(getState().choices, column, to, join));
    },
    fill,
    /** Changes the constant of a field: that of all rows, or of those where its columns are blank. */
    setConstant(path: string, text: string) {
      const { choices } = getState();
      if (filledBy(path).length === 0) fill(path, { from: 'constant', text });
      else setChoices({ ...choices, constants: { ...choices.constants, [path]: text } });
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
      if (to === null || targetKind(getState().match)(to) !== undefined) return;
      setChoices(chooseColumn(getState().choices, column, { to, type: 'string', digits }));
    },
  };
}
