import { expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { toStoredTab } from '../../../src/renderer/app/stored-tabs.ts';
import { emptyUpload } from '../../../src/renderer/features/upload/upload-state.ts';
import type { UploadTab } from '../../../src/renderer/features/upload/upload-tab.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { keptTab } from '../../../src/shared/tabs/tabs.ts';

it.each([
  ['rig.csv', words.upload.tab('rig.csv')],
  [`${'long-'.repeat(50)}.csv`, words.upload.tab('long-'.repeat(50)).slice(0, 200)],
])('an upload is stored under the name of its file, up to the maximum length of a title', (name, title) => {
  const file = { status: 'ready', file: { token: 't', name, size: 12, modified: 0 } } as const;
  const model = { store: createStore(() => ({ ...emptyUpload, file })) } as unknown as UploadTab;
  const tab = { kind: 'upload', title: 'Upload', model, id: 'a', name: null, scope: [] } as const;
  expect(keptTab.parse(toStoredTab(tab)).title).toBe(title);
});
