import { lazy } from 'react';
import * as z from 'zod';
import { folderPath } from '../../../shared/saved/saved.ts';
import type { Session } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { serviceNow } from '../records/request.ts';
import { defineTabKind } from '../tabs/tab-kind.ts';
import { createReportTab, type ReportTab } from './report-tab.ts';

const stored = z.object({ folder: folderPath, note: z.string().default('') });

function createReport(session: Session, subject: z.output<typeof stored>): ReportTab {
  const { app, connection, tabs } = session;
  let model: ReportTab | null = null;
  model = createReportTab(
    {
      async listQueries(signal) {
        // Another window may have changed the notes, too, which the page has.
        const [{ queries }] = await Promise.all([
          app.api.saved.list({}, { signal }),
          session.notes.refresh(),
        ]);
        return queries;
      },
      // Loaded with the first report.
      readPart: async (request) => (await import('./read-part.ts')).readPart(session, request),
      timeAt: (dataset) => serviceNow(app.api.query, connection, dataset),
      wells: () => reportKind.wellsOf(tabs.store.getState(), model),
    },
    subject,
  );
  return model;
}

/** Reports: the queries of a folder on a page, with a note. */
export const reportKind = defineTabKind({
  kind: 'report',
  schema: stored,
  restore: (subject, session) => createReport(session, subject),
  serialize: ({ folder, store }) => ({ folder, note: store.getState().note }),
  stores: ({ store }) => [store],
  View: lazy(() => import('./report-view.tsx')),
  helpPage: 'look.md#Make a report of several plots and tables',
  title: ({ folder }, wells) => words.tabs.query(folder, 1, wells),
  setVisible: ({ actions }, isVisible) => actions.setVisible(isVisible),
});

export const openReport = (session: Session, folder: string): void =>
  session.tabs.actions.open(reportKind.open(createReport(session, { folder, note: '' })), { title: folder });
