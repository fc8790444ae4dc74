import { lazy } from 'react';
import * as z from 'zod';
import { platformResource } from '../../../shared/wells/platform-filters.ts';
import type { Session } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { defineTabKind } from '../tabs/tab-kind.ts';
import { createBrowse, type Browse } from './browse.ts';

const create = ({ app, connection }: Session): Browse => createBrowse({ api: app.api, connection });

export const browseKind = defineTabKind({
  kind: 'browse',
  schema: z.object({ listed: platformResource }),
  restore({ listed }, session): Browse {
    const model = create(session);
    model.actions.list(listed);
    return model;
  },
  serialize: ({ store }) => ({ listed: store.getState().list }),
  stores: ({ store }) => [store],
  View: lazy(() => import('./browse-view.tsx')),
  helpPage: 'find-a-well.md',
});

/** Shows the tables of wells and groups, which have a single tab. */
export function openBrowse(session: Session): void {
  const { store, actions } = session.tabs;
  const open = store.getState().tabs.find((tab) => tab.kind === browseKind.kind);
  if (open) actions.show(open.id);
  else actions.open(browseKind.open(create(session)), { title: words.wells.browse.tab });
}
