import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import type * as TreeModule from '../../../../src/shared/language/tree/tree.ts';
import { connectionEnv, runInProcess } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';

/** The trees of each text: one for each time that it is parsed. */
const parses = new Map<string, Set<TreeModule.Tree>>();

vi.mock('../../../../src/shared/language/tree/tree.ts', async (importActual) => {
  const actual = await importActual<typeof TreeModule>();
  return {
    ...actual,
    readTree(text: string) {
      const tree = actual.readTree(text);
      parses.set(text, (parses.get(text) ?? new Set()).add(tree));
      return tree;
    },
  };
});

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 100, wells: 1 });
});
afterAll(() => demo.close());
const folder = useFolders();

describe('a text of a command', () => {
  it.each([
    ['find', ['find', 'demo/wits', '--query', '{ company_id: 1 }', '--sort', '{ timestamp: -1 }']],
    ['count', ['count', 'demo/wits', '--query', '{ company_id: 1 }']],
    [
      'aggregate',
      ['aggregate', 'demo/wits', '--match', '{ company_id: 1 }', '--group', '{ _id: "$asset_id" }'],
    ],
    ['pipeline', ['pipeline', 'demo/wits', '--stages', '[{ $match: { company_id: 1 } }, { $limit: 3 }]']],
  ])('is parsed once: %s', async (_, args) => {
    parses.clear();
    const { code } = await runInProcess([...args, '--data-dir', await folder()], connectionEnv(demo));
    expect(code).toBe(0);
    const texts = args.filter((arg) => /^[{[]/.test(arg));
    expect(texts.map((text) => parses.get(text)?.size)).toEqual(texts.map(() => 1));
  });
});
