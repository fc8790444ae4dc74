import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkspace } from '../../../src/main/workspace/workspace.ts';
import { settingsChange } from '../../../src/shared/workspace.ts';
import { useFolders } from '../../support/folders.ts';

const folders = useFolders();
const facts = { version: '1', host: 'browser', files: 'stream' } as const;
const others = {
  warn: () => undefined,
  connections: async () => [],
  jobs: async () => [],
  clean: (text: string) => text,
};

describe('settings', () => {
  it('are the usual ones at first, and stay as they are changed', async () => {
    const folder = await folders();
    const { settings, change } = createWorkspace(facts, folder, others);
    expect(await settings({}, {})).toEqual({ theme: 'system' });
    expect(await change({ theme: 'dark' }, {})).toEqual({ theme: 'dark' });
    expect(await createWorkspace(facts, folder, others).settings({}, {})).toEqual({ theme: 'dark' });
  });

  it('stay as they are where a change does not name them', async () => {
    const { change } = createWorkspace(facts, await folders(), others);
    await change({ theme: 'dark' }, {});
    // As the change comes through the contract.
    expect(settingsChange.parse({})).toEqual({});
    expect(await change(settingsChange.parse({}), {})).toEqual({ theme: 'dark' });
    expect(await change({ theme: undefined }, {})).toEqual({ theme: 'dark' });
  });

  it('are the usual ones where their file is damaged, which is set aside', async () => {
    const folder = await folders();
    await writeFile(join(folder, 'settings.json'), '{');
    expect(await createWorkspace(facts, folder, others).settings({}, {})).toEqual({
      theme: 'system',
    });
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^settings\.json\.damaged-\d+$/)]);
  });
});
