import { expect, it } from 'vitest';
import {
  createSqlTables,
  type SqlTablesDependencies,
} from '../../../../../src/renderer/features/query/sql/sql-tables.ts';

it('tables that are added at the same time are added one after another, and none cancels another', async () => {
  const added: string[] = [];
  const running: (() => void)[] = [];
  const addFile = async ({ source }: { source: string }, { signal }: { signal: AbortSignal }) => {
    await new Promise<void>((resolve) => running.push(resolve));
    signal.throwIfAborted();
    added.push(source);
    return { name: source };
  };
  const settings = { subscribe: () => () => undefined };
  const api = { sql: { addFile, tables: async () => [] }, files: {} };
  const { store, actions } = createSqlTables({
    api,
    settings,
    transferFile: async () => null,
  } as unknown as SqlTablesDependencies);
  const grants = ['first', 'second', 'third'].map((name) =>
    actions.addGranted({ kind: 'file', name, token: name } as never),
  );
  for (const name of ['first', 'second', 'third']) {
    await expect.poll(() => store.getState().adding).toBe(name);
    await expect.poll(() => running).toHaveLength(1);
    running.pop()?.();
    await expect.poll(() => added.at(-1)).toBe(name);
  }
  expect(await Promise.all(grants)).toMatchObject([{ name: 'first' }, { name: 'second' }, { name: 'third' }]);
});
