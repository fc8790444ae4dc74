import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRoot } from 'react-dom/client';
import { expect, it } from 'vitest';
import { useTabWells } from '../../../src/renderer/features/tabs/use-tab-wells.ts';
import { SessionContext, TabIdContext } from '../../../src/renderer/contexts.ts';
import { cleanups } from './support/cleanups.ts';
import { openSeveralQueries } from './support/several.ts';

const features = join(import.meta.dirname, '../../../src/renderer/features');

function Scope({ name }: { name: string }) {
  return <p data-scope={name}>{useTabWells().map(({ assetId }) => assetId)}</p>;
}

it('a tab has its own wells, whichever tab has the focus', async () => {
  const opened = await openSeveralQueries();
  const { tabs, show, session } = opened;
  const { query, otherQuery } = tabs;
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  cleanups.push(async () => root.unmount());
  root.render(
    <SessionContext value={session()}>
      {[query, otherQuery].map((tab, at) => (
        <TabIdContext key={tab.id} value={tab.id}>
          <Scope name={String(at)} />
        </TabIdContext>
      ))}
    </SessionContext>,
  );
  const scopes = () => [...place.querySelectorAll('[data-scope]')].map(({ textContent }) => textContent);
  for (const tab of [query, otherQuery, query]) {
    await show(tab);
    await expect.poll(scopes).toEqual(['5001', '5002']);
  }
});

it('only the sidebar, and dialogs of the window, read the wells of the tab with the focus', () => {
  const files = readdirSync(features, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const readers = files.filter((name) =>
    readFileSync(join(features, name), 'utf8').includes('= useSelectedWells()'),
  );
  const sidebar = /^(wells|sidebar|tabs)\//;
  expect(readers.filter((name) => !sidebar.test(name))).toEqual(['mirrors/mirrors-dialog.tsx']);
});
