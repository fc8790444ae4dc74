import { expect, it } from 'vitest';
import { AppError } from '../../../../../src/shared/errors/errors.ts';
import {
  createSqlTables,
  type SqlTablesDependencies,
} from '../../../../../src/renderer/features/query/sql/sql-tables.ts';

it('tables are added at the same time in any order, and each is canceled alone', async () => {
  const added: string[] = [];
  const running = new Map<string, () => void>();
  const addFile = async ({ source }: { source: string }, { signal }: { signal: AbortSignal }) => {
    await new Promise<void>((resolve) => {
      running.set(source, resolve);
      signal.addEventListener('abort', () => resolve());
    });
    signal.throwIfAborted();
    added.push(source);
    return { name: source };
  };
  const api = { sql: { addFile, tables: async () => [] }, files: {} };
  const { store, actions } = createSqlTables({
    api,
    transferFile: async () => null,
  } as unknown as SqlTablesDependencies);
  const grants = ['first', 'second', 'third'].map((name) =>
    actions.addGranted({ kind: 'file', name, token: name } as never),
  );
  const labels = () => store.getState().adding.map(({ label }) => label);
  await expect.poll(() => running.size).toBe(3);
  expect(labels()).toEqual(['first', 'second', 'third']);
  running.get('third')?.();
  await expect.poll(labels).toEqual(['first', 'second']);
  actions.cancel(store.getState().adding[1]?.id ?? 0);
  await expect.poll(labels).toEqual(['first']);
  running.get('first')?.();
  expect(await Promise.all(grants)).toMatchObject([{ name: 'first' }, null, { name: 'third' }]);
  expect([added, store.getState().problem]).toEqual([['third', 'first'], null]);
});

it('the failure of a file stays in view when files after it are added', async () => {
  const api = {
    sql: {
      tables: async () => [],
      addFile: async ({ source }: { source: string }) => {
        if (source === 'empty.csv') throw new AppError('internal', { problem: 'a test' });
        return { name: source };
      },
    },
    files: {},
  };
  const { store, actions } = createSqlTables({
    api,
    transferFile: async ({ name }: File) => ({ token: name }),
  } as unknown as SqlTablesDependencies);
  await actions.addFiles([new File([], 'empty.csv'), new File([], 'full.csv')]);
  expect(store.getState().problem?.code).toBe('internal');
  await actions.addFiles([new File([], 'full.csv')]);
  expect(store.getState().problem).toBeNull();
});
