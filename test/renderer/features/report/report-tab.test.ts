import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { questionText } from '../../../../src/shared/query/question.ts';
import type { SavedQuery } from '../../../../src/shared/saved/saved.ts';
import type { ScopedWell } from '../../../../src/shared/wells/wells.ts';
import type { PartContent } from '../../../../src/renderer/features/report/read-part.ts';
import { createReportTab, type PartRequest } from '../../../../src/renderer/features/report/report-tab.ts';
import { valueOr } from '../../../../src/renderer/state/loadable.ts';
import { wellWith } from '../../../support/wells.ts';

const query = (name: string, folder = 'Morning'): SavedQuery => ({
  id: name,
  name,
  folder,
  provider: 'demo',
  dataset: 'wits',
  question: questionText.parse({}),
  changedAt: 0,
});

const contentOf = (about: string): PartContent => ({
  about,
  source: 'demo/wits',
  isEmpty: false,
  picture: null,
  bars: null,
  notes: [],
  table: null,
});

interface Open extends PartRequest {
  readonly end: (about?: string) => void;
  readonly fail: () => void;
}

/** A report whose parts end when a test says so. */
function openReport(queries: readonly SavedQuery[]) {
  const open: Open[] = [];
  let wells: readonly ScopedWell[] = [wellWith(5001)];
  const report = createReportTab(
    {
      listQueries: async () => queries,
      readPart(request) {
        const { promise, resolve, reject } = Promise.withResolvers<PartContent>();
        const of = `${request.query.name} of ${request.wells.map(({ name }) => name).join()}`;
        open.push({
          ...request,
          end: (about = of) => resolve(contentOf(about)),
          fail: () => reject(new AppError('cancelled', {})),
        });
        return promise;
      },
      timeAt: async () => 42_999,
      wells: () => wells,
    },
    { folder: 'Morning', note: '' },
  );
  const parts = () => valueOr(report.store.getState().parts, []);
  return {
    ...report,
    open,
    /** The parts with what they show. */
    shown: () =>
      parts().map(({ query: { name }, content }) =>
        content.status === 'loaded' ? content.value.about : `${name} ${content.status}`,
      ),
    select(...selected: ScopedWell[]) {
      wells = selected;
      report.actions.setVisible(true);
    },
  };
}

describe('a report', () => {
  it('reads the queries of its folder by name, without those of others, two at a time, as of one time', async () => {
    const names = ['10 Table', '2 ROP', '1 Bars'];
    const { actions, open, shown } = openReport([
      ...names.map((name) => query(name)),
      query('Other', ''),
      query('Below', 'Morning/Details'),
    ]);
    expect(shown()).toEqual([]);
    actions.setVisible(true);
    await expect.poll(shown).toEqual(['1 Bars loading', '2 ROP loading', '10 Table idle']);
    open[1]?.end();
    await expect.poll(shown).toEqual(['1 Bars loading', '2 ROP of W-5001', '10 Table loading']);
    open[0]?.end();
    open[2]?.end();
    await expect.poll(shown).toEqual(['1 Bars of W-5001', '2 ROP of W-5001', '10 Table of W-5001']);
    expect(open.map(({ now }) => now)).toEqual([42_000, 42_000, 42_000]);
  });

  it('drops what is read for other wells, and shows nothing of it', async () => {
    const { actions, open, shown, select } = openReport([query('1'), query('2')]);
    actions.setVisible(true);
    await expect.poll(() => open.length).toBe(2);
    open[0]?.end();
    await expect.poll(shown).toEqual(['1 of W-5001', '2 loading']);
    select(wellWith(5002));
    // At once: nothing of the other well stays in view.
    expect(shown()).toEqual([]);
    expect(open[1]?.signal.aborted).toBe(true);
    await expect.poll(() => open.length).toBe(4);
    open[1]?.onRows(1);
    open[1]?.end();
    open[2]?.end();
    await expect.poll(shown).toEqual(['1 of W-5002', '2 loading']);
    open[3]?.end();
    await expect.poll(shown).toEqual(['1 of W-5002', '2 of W-5002']);
    // The same wells in another order, and a tab that is hidden, read nothing.
    select(wellWith(5002));
    actions.setVisible(false);
    expect(open).toHaveLength(4);
  });

  it('is read again in place of what it is still reading', async () => {
    const { actions, open, shown } = openReport([query('1'), query('2')]);
    actions.setVisible(true);
    await expect.poll(() => open.length).toBe(2);
    void actions.read();
    await expect.poll(() => open.length).toBe(4);
    expect(open.map(({ signal }) => signal.aborted)).toEqual([true, true, false, false]);
    open[0]?.end('1, older');
    open[2]?.end();
    await expect.poll(shown).toEqual(['1 of W-5001', '2 loading']);
    actions.close();
    expect(open[3]?.signal.aborted).toBe(true);
  });

  it('shows why a part failed beside the others, and reads it alone again', async () => {
    const { actions, open, shown } = openReport([query('1'), query('2')]);
    actions.setVisible(true);
    await expect.poll(() => open.length).toBe(2);
    open[0]?.fail();
    open[1]?.end();
    await expect.poll(shown).toEqual(['1 failed', '2 of W-5001']);
    const again = actions.retry(query('1'));
    expect(shown()).toEqual(['1 loading', '2 of W-5001']);
    open[2]?.end();
    await again;
    expect(shown()).toEqual(['1 of W-5001', '2 of W-5001']);
    expect(open).toHaveLength(3);
  });

  it('is handed on as it is for a minute, then read again, and never with parts of other wells', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const { actions, open, shown, select } = openReport([query('1')]);
      actions.setVisible(true);
      await expect.poll(() => open.length).toBe(1);
      const first = actions.refreshOld();
      open[0]?.end();
      await first;
      vi.setSystemTime(Date.now() + 59_000);
      await actions.refreshOld();
      expect(open).toHaveLength(1);
      vi.setSystemTime(Date.now() + 2000);
      const later = actions.refreshOld();
      await expect.poll(() => open.length).toBe(2);
      open[1]?.end('1 of W-5001, newer');
      await later;
      expect(shown()).toEqual(['1 of W-5001, newer']);
      vi.setSystemTime(Date.now() + 61_000);
      const last = actions.refreshOld();
      await expect.poll(() => open.length).toBe(3);
      select(wellWith(5002));
      open[2]?.end();
      await expect(last).rejects.toMatchObject({ code: 'cancelled' });
      actions.close();
    } finally {
      vi.useRealTimers();
    }
  });
});
