import type { WellColumn, WellName, WellsBy } from '../../../../shared/upload/wells.ts';
import type { ColumnMapping, Mapping } from '../../../../shared/upload/upload.ts';
import { createLatestTask } from '../../../state/latest-task.ts';
import { idle, load, loading } from '../../../state/loadable.ts';
import { chooseColumn, isAssetPath, wellConstant, type MappingChoices } from '../columns/mapping-choices.ts';
import { needsHeaderWell } from './header-well.ts';
import type { UploadDependencies, UploadStore, UploadTabState } from '../upload-state.ts';

type NamingColumn = readonly [column: string, by: Exclude<WellsBy, 'id'>];

const namingColumns = ({ columns }: Mapping): NamingColumn[] =>
  Object.entries(columns).flatMap(([column, { by }]) =>
    by === 'name' || by === 'api_number' ? [[column, by] as const] : [],
  );

/**
 * Whether names have to be looked up: a constant well, or a selected one, could contradict the names in the
 * file.
 */
function needsNames(state: UploadTabState): boolean {
  const { choices, match, selectedWell } = state;
  if (needsHeaderWell(state)) return true;
  const { value } = match;
  if (!value || value.wellColumns.length === 0) return false;
  return value.columns.some(({ kind }) => kind === 'asset')
    ? selectedWell !== null
    : wellConstant(choices) !== null;
}

/** Looks up the wells in a file as soon as a column identifies them by name or API number. */
export function createWellNames(
  store: UploadStore,
  { api, connection }: Pick<UploadDependencies, 'api' | 'connection'>,
  mapping: () => Mapping,
) {
  const lookupTask = createLatestTask();
  let lookupKey = '';
  let lookup: Promise<unknown> = Promise.resolve();

  async function lookUp(): Promise<void> {
    const { file, reading } = store.getState();
    if (file.status !== 'ready') return;
    const request = { connection, source: file.file.token, reading, mapping: withoutAssignments(mapping()) };
    store.setState({ wellNames: loading });
    await load(
      lookupTask,
      (signal) => api.upload.wells(request, { signal }),
      (part) => store.setState({ wellNames: part }),
    );
  }

  return {
    /** Looks them up again, after a failure or a cancel. */
    load: () => void (lookup = lookUp()),
    cancel: lookupTask.cancel,
    /** Looks them up again if the columns that identify wells changed. */
    async update(): Promise<void> {
      const current = mapping();
      const columns = namingColumns(current);
      const isNeeded = columns.length > 0 || needsNames(store.getState());
      const naming = store.getState().match.value?.wellColumns ?? [];
      const key = isNeeded ? JSON.stringify([columns, naming, current.nulls ?? []]) : '';
      if (key !== lookupKey) {
        lookupKey = key;
        lookupTask.drop();
        if (key === '') store.setState({ wellNames: idle });
        else lookup = lookUp();
      }
      await lookup;
    },
    /** Clears the names, for another file or another format. */
    reset() {
      lookupKey = '';
      lookupTask.drop();
      store.setState({ wellNames: idle });
    },
  };
}

function withoutWells(column: ColumnMapping): ColumnMapping {
  const { wells: _, ...otherChoice } = column;
  return otherChoice;
}

/** Assigned wells are applied to the response locally, so that a change needs no new request. */
function withoutAssignments({ columns, ...otherMapping }: Mapping): Mapping {
  const entries = Object.entries(columns).map(([name, column]) => [name, withoutWells(column)] as const);
  return { ...otherMapping, columns: Object.fromEntries(entries) };
}

/** A name in the file with the assigned well applied. */
export interface NameToResolve extends WellName {
  readonly column: string;
  /** Whether the platform found no single match, so that the user has to select one. */
  readonly isAmbiguous: boolean;
}

/** The names of all columns: ambiguous ones first, in the order of the file. */
export function namesToResolve(columns: readonly WellColumn[], choices: MappingChoices): NameToResolve[] {
  const names = columns.flatMap(({ column, names: all }) => {
    const choice = column === null ? undefined : choices.columns[column];
    if (column === null || !choice || choice.skip || !isAssetPath(choice.to)) return [];
    const settled = choice.wells ?? {};
    return all.map((name): NameToResolve => {
      const settledWell = Object.hasOwn(settled, name.value) ? settled[name.value] : undefined;
      const isAmbiguous = name.assetId === null;
      return {
        ...name,
        column,
        isAmbiguous,
        ...(settledWell === undefined ? {} : { assetId: settledWell, found: 'settled' }),
      };
    });
  });
  return [
    ...names.filter(({ isAmbiguous }) => isAmbiguous),
    ...names.filter(({ isAmbiguous }) => !isAmbiguous),
  ];
}

/** The asset ids that the names in the file match, or that the user assigned, each once. */
export function namedAssets({ wellNames, choices }: Pick<UploadTabState, 'wellNames' | 'choices'>): number[] {
  const names = wellNames.status === 'loaded' ? namesToResolve(wellNames.value, choices) : [];
  return [...new Set(names.flatMap(({ assetId }) => assetId ?? []))];
}

/** The choices with a well for a name; null: not assigned. */
export function assignName(
  choices: MappingChoices,
  column: string,
  value: string,
  assetId: number | null,
): MappingChoices {
  const choice = choices.columns[column];
  if (!choice || choice.skip) return choices;
  const otherNames = Object.entries(choice.wells ?? {}).filter(([name]) => name !== value);
  const wells = Object.fromEntries(assetId === null ? otherNames : [...otherNames, [value, assetId]]);
  return chooseColumn(choices, column, {
    ...withoutWells(choice),
    ...(Object.keys(wells).length > 0 ? { wells } : {}),
  });
}
