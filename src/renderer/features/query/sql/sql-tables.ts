import { createStore } from 'zustand/vanilla';
import { toAppError, type AppError } from '../../../../shared/errors/errors.ts';
import type { FileToken, GrantedFile } from '../../../../shared/files/files.ts';
import type { SqlAnswerTable, SqlDataset, SqlTable } from '../../../../shared/sql/sql.ts';
import { sqlName } from '../../../../shared/sql/names.ts';
import type { Api } from '../../../api/api.ts';
import type { TableFacts } from '../recipes/recipe-needs.ts';
import { idle, type Loadable } from '../../../state/loadable.ts';
import { Resource, valueOrFailure } from '../../../state/resource.ts';

const previewRows = 100;

export const firstRows = (table: string): string =>
  `SELECT *\nFROM ${sqlName(table)}\nLIMIT ${String(previewRows)}\n`;

/** A file or folder that the application offers as a table. */
export interface GrantedTable {
  readonly kind: 'file' | 'folder';
  readonly name: string;
  readonly token: FileToken;
}

export interface AddingTable {
  readonly id: number;
  readonly label: string;
  /** The job that reads its records; null: no job does. */
  readonly job: string | null;
}

interface SqlTablesState {
  readonly tables: Loadable<readonly SqlTable[]>;
  readonly adding: readonly AddingTable[];
  /** Why a table could not be added, the first of several at a time; null: all were. */
  readonly problem: AppError | null;
}

export interface SqlTablesDependencies {
  readonly api: {
    readonly sql: Api['sql'];
    readonly files: Pick<Api['files'], 'chooseSources' | 'chooseFolder'>;
  };
  readonly transferFile: (file: File, signal?: AbortSignal) => Promise<GrantedFile>;
}

export type SqlTables = ReturnType<typeof createSqlTables>;

/** The open tables of SQL, which all windows share. */
export function createSqlTables({ api, transferFile }: SqlTablesDependencies) {
  const store = createStore<SqlTablesState>()(() => ({ tables: idle, adding: [], problem: null }));
  const lists = new Resource((_: null, signal) => api.sql.tables({}, { signal }), {
    onChange: (tables) => store.setState({ tables: valueOrFailure(tables) }),
  });
  const refresh = () => lists.refresh(null);
  /** What cancels the tables that are being added, by id. */
  const cancels = new Map<number, AbortController>();
  let lastId = 0;

  const setAdding = (change: (adding: readonly AddingTable[]) => readonly AddingTable[]): void =>
    store.setState(({ adding }) => ({ adding: change(adding) }));

  /**
   * Adds a table; others may be added meanwhile.
   * @param call its second parameter takes the job that reads the records
   * @returns null if it failed or was canceled
   */
  async function add<T>(
    label: string,
    call: (signal: AbortSignal, onJob: (job: string) => void) => Promise<T>,
  ): Promise<T | null> {
    const id = (lastId += 1);
    const controller = new AbortController();
    cancels.set(id, controller);
    store.setState({ problem: null });
    setAdding((adding) => [...adding, { id, label, job: null }]);
    const onJob = (job: string): void =>
      setAdding((adding) => adding.map((table) => (table.id === id ? { ...table, job } : table)));
    try {
      return await call(controller.signal, onJob);
    } catch (error) {
      const problem = toAppError(error);
      if (!problem.is('cancelled')) store.setState({ problem });
      return null;
    } finally {
      cancels.delete(id);
      setAdding((adding) => adding.filter((table) => table.id !== id));
      await refresh();
    }
  }

  /** Adds tables one after another. A failure doesn't stop the others, which don't hide it. */
  async function addEach<T>(items: readonly T[], addItem: (item: T) => Promise<unknown>): Promise<void> {
    let first: AppError | null = null;
    for (const item of items) {
      await addItem(item);
      first ??= store.getState().problem;
    }
    store.setState({ problem: first });
  }

  const addRead = (label: string, start: (signal: AbortSignal) => Promise<{ job: string }>) =>
    add(label, async (signal, onJob) => {
      const started = await start(signal);
      onJob(started.job);
      return api.sql.exportedTable(started, { signal });
    });

  const addGranted = ({ kind, name, token }: GrantedTable): Promise<SqlTable | null> =>
    add(name, (signal) =>
      kind === 'file'
        ? api.sql.addFile({ source: token }, { signal })
        : api.sql.addFolder({ folder: token }, { signal }),
    );

  async function addChosen(kind: GrantedTable['kind'], choose: () => Promise<readonly GrantedFile[]>) {
    try {
      await addEach(await choose(), ({ name, token }) => addGranted({ kind, name, token }));
    } catch (error) {
      store.setState({ problem: toAppError(error) });
    }
  }

  return {
    store,
    actions: {
      load: refresh,
      /** The settings have other units for columns. */
      updateUnits: (): void => void lists.update(null),
      /** Adds files that were dropped or selected in the page. */
      addFiles: (files: readonly File[]): Promise<void> =>
        addEach(files, (file) =>
          add(file.name, async (signal) => {
            const { token: source } = await transferFile(file, signal);
            await api.sql.addFile({ source }, { signal });
          }),
        ),
      addGranted,
      openDialog: (): Promise<void> => addChosen('file', () => api.files.chooseSources({})),
      openFolderDialog: (): Promise<void> =>
        addChosen('folder', async () => {
          const folder = await api.files.chooseFolder({ name: '' });
          return folder ? [folder] : [];
        }),
      /** Adds a folder of Parquet files. @throws AppError */
      async addFolder(folder: FileToken): Promise<SqlTable> {
        const table = await api.sql.addFolder({ folder });
        await refresh();
        return table;
      },
      /** Loads all records of a table that has the first ones of a query. */
      loadAll: (name: string): Promise<SqlTable | null> =>
        addRead(name, (signal) => api.sql.loadAll({ name }, { signal })),
      /** Reads all records of a query on a dataset. */
      addDataset: (dataset: SqlDataset): Promise<SqlTable | null> =>
        addRead(dataset.label, (signal) => api.sql.readDataset(dataset, { signal })),
      addAnswer: (answer: SqlAnswerTable): Promise<SqlTable | null> =>
        add(answer.label, (signal) => api.sql.addAnswer(answer, { signal })),
      /** Reads numbers such as -999.25 of a table as null, or as numbers. */
      keepNulls: (name: string, keepsNulls: boolean): Promise<SqlTable | null> =>
        add(name, (signal) => api.sql.keepNulls({ name, keepsNulls }, { signal })),
      /** Reads another table of the file of a table. @param number of the table in the file, from 1 */
      readTable: (name: string, number: number): Promise<SqlTable | null> =>
        add(name, (signal) => api.sql.readTable({ name, number }, { signal })),
      /** @throws AppError */
      async facts(table: SqlTable, signal: AbortSignal): Promise<TableFacts> {
        // The first screen has no recipes.
        const { tableFacts } = await import('./table-facts.ts');
        return tableFacts(api.sql, table, signal);
      },
      async remove(name: string): Promise<void> {
        await api.sql.removeTable({ name }).catch((error: unknown) => {
          store.setState({ problem: toAppError(error) });
        });
        await refresh();
      },
      cancel: (id: number): void => cancels.get(id)?.abort(),
      dismiss: (): void => store.setState({ problem: null }),
    },
  };
}
