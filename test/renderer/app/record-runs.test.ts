import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { AppError, invalidInput } from '../../../src/shared/errors/errors.ts';
import type { RunNote } from '../../../src/shared/history/history.ts';
import { recordRuns } from '../../../src/renderer/app/record-runs.ts';
import { prefill } from '../../../src/renderer/features/query/prefill.ts';
import type { QueryTab } from '../../../src/renderer/features/query/query-tab.ts';

function watched() {
  const noted: Omit<RunNote, 'connection'>[] = [];
  const store = createStore(() => ({ text: prefill('time', []) }));
  const results = createStore<{ answer: object }>(() => ({ answer: { status: 'idle' } }));
  const tab = { store, results: { store: results }, dataset: { provider: 'demo', dataset: 'wits' } };
  const well = { name: 'Ridge', assetId: 5001 };
  recordRuns(
    tab as unknown as QueryTab,
    () => [well] as never,
    (run) => noted.push(run),
  );
  const type = (query: string) =>
    store.setState(({ text }) => ({ text: { ...text, find: { ...text.find, query } } }));
  return { noted, type, answer: (answer: object) => results.setState({ answer }) };
}

describe('runs', () => {
  it('are noted when they end, with the question as it was when they began', () => {
    const { noted, type, answer } = watched();
    type('{ a: 1 }');
    answer({ status: 'running', since: 0 });
    type('{ a: 2 }');
    answer({ status: 'loaded', value: { records: 3, ms: 12, isUnlimited: false } });
    answer({ status: 'loaded', value: { records: 3, ms: 12, isUnlimited: false } });
    expect(noted).toMatchObject([
      { provider: 'demo', dataset: 'wits', mode: 'find', outcome: 'done', rows: 3, ms: 12, code: null },
    ]);
    expect(noted[0]?.question.find?.query).toBe('{ a: 1 }');
    expect(noted[0]?.wells).toEqual([{ name: 'Ridge', assetId: 5001 }]);
  });

  it('are recorded with their result; requests that were never sent are not', () => {
    const { noted, answer } = watched();
    const ends = [
      { status: 'cancelled' },
      { status: 'failed', error: new AppError('timed_out', { service: 'data', host: 'h', afterMs: 1 }) },
      { status: 'failed', error: invalidInput('no }') },
      { status: 'loaded', value: { records: 3, ms: 12, isUnlimited: true } },
    ];
    for (const end of ends) {
      answer({ status: 'running', since: 0 });
      answer(end);
    }
    expect(noted.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['cancelled', null],
      ['failed', 'timed_out'],
    ]);
  });
});
