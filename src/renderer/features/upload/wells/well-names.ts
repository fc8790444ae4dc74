import type { WellColumn, WellName } from '../../../../shared/upload/wells.ts';
import type { ColumnMapping, Mapping } from '../../../../shared/upload/upload.ts';
import { createLatestTask } from '../../../state/latest-task.ts';
import { idle, load, loading } from '../../../state/loadable.ts';
import { chooseColumn, isAssetPath, wellConstant, type MappingChoices } from '../columns/mapping-choices.ts';
import type { UploadNeeds, UploadStore, UploadTabState } from '../upload-state.ts';

type NamingColumn = readonly [column: string, by: 'name' | 'api_number'];

/** The columns that give wells by name or API number. */
const namingColumns = ({ columns }: Mapping): NamingColumn[] =>
  Object.entries(columns).flatMap(([column, { by }]) =>
    by === 'name' || by === 'api_number' ? [[column, by] as const] : [],
  );

/** Whether a wrong well could go unnoticed: rows are given one, or a column gives them beside one that is selected. */
function needsNames({ choices, match, selectedWell }: UploadTabState): boolean {
  const { value } = match;
  if (!value || value.wellColumns.length === 0) return false;
  return value.columns.some(({ kind }) => kind === 'asset')
    ? selectedWell !== null
    : wellConstant(choices) !== null;
}

/** Looks for the wells that a file names, as soon as a column gives them by name or API number. */
export function createWellNames(
  store: UploadStore,
  { api, connection }: Pick<UploadNeeds, 'api' | 'connection'>,
  mapping: () => Mapping,
) {
  const looking = createLatestTask();
  let askedFor = '';
  let lookup: Promise<unknown> = Promise.resolve();

  async function look(): Promise<void> {
    const { file, reading } = store.getState();
    if (file.status !== 'granted') return;
    const request = { connection, source: file.file.token, reading, mapping: withoutSettled(mapping()) };
    store.setState({ wellNames: loading });
    await load(
      looking,
      (signal) => api.upload.wells(request, { signal }),
      (part) => store.setState({ wellNames: part }),
    );
  }

  return {
    look,
    cancel: looking.cancel,
    /** Looks for them again, if the columns that name wells are others than before. */
    async follow(): Promise<void> {
      const wanted = mapping();
      const columns = namingColumns(wanted);
      const isNeeded = columns.length > 0 || needsNames(store.getState());
      const naming = store.getState().match.value?.wellColumns ?? [];
      const key = isNeeded ? JSON.stringify([columns, naming, wanted.nulls ?? []]) : '';
      if (key !== askedFor) {
        askedFor = key;
        looking.drop();
        if (key === '') store.setState({ wellNames: idle });
        else lookup = look();
      }
      await lookup;
    },
    /** Another file, or the same read otherwise. */
    forget() {
      askedFor = '';
      looking.drop();
      store.setState({ wellNames: idle });
    },
  };
}

/** What is said of a column, but for the wells that were settled. */
function bare(column: ColumnMapping): ColumnMapping {
  const { wells: _, ...others } = column;
  return others;
}

/** What was settled is laid over the answer, so that settling one more asks nothing and can be taken back. */
function withoutSettled({ columns, ...rest }: Mapping): Mapping {
  const entries = Object.entries(columns).map(([name, column]) => [name, bare(column)] as const);
  return { ...rest, columns: Object.fromEntries(entries) };
}

/** A name with what was settled for it laid over what the platform said. */
export interface NameToSettle extends WellName {
  readonly column: string;
  /** Whether the platform left it open: it is for a person to say, whether they have or not. */
  readonly open: boolean;
}

const settledFor = (choices: MappingChoices, column: string): Readonly<Record<string, number>> => {
  const choice = choices.columns[column];
  return (choice?.skip ? undefined : choice?.wells) ?? {};
};

/** The names of all columns: those that were left open first, in the order of the file. */
export function namesToSettle(columns: readonly WellColumn[], choices: MappingChoices): NameToSettle[] {
  const names = columns.flatMap(({ column, names: all }) => {
    const choice = column === null ? undefined : choices.columns[column];
    if (column === null || !choice || choice.skip || !isAssetPath(choice.to)) return [];
    const settled = settledFor(choices, column);
    return all.map((name): NameToSettle => {
      const own = Object.hasOwn(settled, name.value) ? settled[name.value] : undefined;
      const open = name.assetId === null;
      return { ...name, column, open, ...(own === undefined ? {} : { assetId: own, found: 'settled' }) };
    });
  });
  return [...names.filter(({ open }) => open), ...names.filter(({ open }) => !open)];
}

/** The choices with a name settled; null: it is left open again. */
export function settleName(
  choices: MappingChoices,
  column: string,
  value: string,
  assetId: number | null,
): MappingChoices {
  const choice = choices.columns[column];
  if (!choice || choice.skip) return choices;
  const others = Object.entries(choice.wells ?? {}).filter(([name]) => name !== value);
  const wells = Object.fromEntries(assetId === null ? others : [...others, [value, assetId]]);
  return chooseColumn(choices, column, {
    ...bare(choice),
    ...(Object.keys(wells).length > 0 ? { wells } : {}),
  });
}
