import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { questionText } from '../../../../src/shared/query/question.ts';
import type { SavedQuery } from '../../../../src/shared/saved/saved.ts';
import type { SavedList } from '../../../../src/shared/contract/query.ts';
import { assetId } from '../../../../src/shared/wells/wells.ts';
import { bindQuestion, parametersOf } from '../../../../src/renderer/features/query/bound-query.ts';
import { requiredAnswers } from '../../../../src/shared/language/parameters.ts';
import { savedRows } from '../../../../src/renderer/features/sidebar/saved-list.tsx';
import { createSaved, type SavedDependencies } from '../../../../src/renderer/features/saved/saved.ts';
import { words } from '../../../../src/renderer/words/words.ts';
import { sentenceFor } from '../../../../src/shared/errors/sentences.ts';

const query = (id: string, name: string, folder = '', text = '{}'): SavedQuery => ({
  id,
  name,
  folder,
  provider: 'demo',
  dataset: 'wits',
  question: questionText.parse({ find: { query: text } }),
  changedAt: 1,
});

/** Saved queries with a main process that keeps them in memory. */
function savedOn(...queries: SavedQuery[]) {
  let kept: SavedList = { queries, folders: [], problem: null };
  let broken = false;
  let ids = 0;
  const written: [string, string][] = [];
  const opened: string[] = [];
  const copied: string[] = [];
  const answer = async () => {
    if (broken) throw new AppError('disk_full', { file: 'saved.json', writtenBytes: 0 });
    return kept;
  };
  const api = {
    saved: {
      list: async () => kept,
      put(put: { queries: SavedQuery[]; replaced?: string[] }) {
        const ids_ = new Set([...put.queries.map(({ id }) => id), ...(put.replaced ?? [])]);
        if (!broken)
          kept = { ...kept, queries: [...kept.queries.filter(({ id }) => !ids_.has(id)), ...put.queries] };
        return answer();
      },
      renameFolder: answer,
      async remove({ queries: gone = [] }: { queries?: string[] }) {
        const removed = kept.queries.filter(({ id }) => gone.includes(id));
        kept = { ...kept, queries: kept.queries.filter(({ id }) => !gone.includes(id)) };
        return { list: kept, removed: { queries: removed, folders: [] } };
      },
    },
  } as unknown as SavedDependencies['api'];
  const saved = createSaved({
    api,
    newId: () => `new-${(ids += 1)}`,
    now: () => 9,
    open: async ({ id }) => void opened.push(id),
    saveText: async (name, text) => {
      written.push([name, text]);
      return true;
    },
    copy: async (text) => {
      if (!broken) copied.push(text);
      return !broken;
    },
  });
  const file = (name: string, text: string) => new File([text], name);
  return {
    ...saved.actions,
    file,
    written,
    opened,
    copied,
    breakDisk: () => (broken = true),
    repairDisk: () => (broken = false),
    notice: () => saved.store.getState().notice,
    queries: () => kept.queries,
    /** Another window stores these queries instead. */
    setInOtherWindow: (...now: SavedQuery[]) => void (kept = { ...kept, queries: now }),
    names: () => kept.queries.map(({ id, folder, name }) => `${id} ${folder}/${name}`),
  };
}

describe('saved queries of the window', () => {
  it('are saved under a new id, or replace the one with the same name', async () => {
    const saved = savedOn(query('1', 'a', 'f'));
    await saved.load();
    expect(await saved.save(query('x', 'a', 'f', '{ b: 1 }'))).toBeNull();
    expect(await saved.save(query('x', 'a', 'other'))).toBeNull();
    expect(saved.names()).toEqual(['1 f/a', 'new-1 other/a']);
  });

  it('report why they could not be saved', async () => {
    const saved = savedOn();
    await saved.load();
    saved.breakDisk();
    expect(await saved.save(query('x', 'a'))).toContain(
      sentenceFor('disk_full', { file: 'saved.json', writtenBytes: 0 }),
    );
  });

  it('are renamed; one that had the name before is replaced', async () => {
    const saved = savedOn(query('1', 'a'), query('2', 'b'));
    await saved.load();
    await saved.change(query('1', 'a'), { name: 'b', folder: '' });
    expect(saved.names()).toEqual(['1 /b']);
  });

  it('are renamed as another window saved them, and not restored if it removed them', async () => {
    const saved = savedOn(query('1', 'a'));
    await saved.load();
    saved.setInOtherWindow(query('1', 'a', '', '{ depth: 7 }'));
    await saved.change(query('1', 'a'), { name: 'b', folder: 'f' });
    expect(saved.queries()).toEqual([{ ...query('1', 'b', 'f', '{ depth: 7 }'), changedAt: 9 }]);
    expect(saved.notice()).toBeNull();
    saved.setInOtherWindow();
    await saved.change(query('1', 'b', 'f'), { name: 'c', folder: 'f' });
    expect(saved.queries()).toEqual([]);
    expect(saved.notice()).toEqual({ what: 'problem', message: words.saved.wasRemoved });
  });

  it('in a file that is too large are rejected before it is read', async () => {
    const saved = savedOn();
    const file = {
      name: 'large.json',
      size: 30_000_000,
      text: () => Promise.reject(new Error('it was read')),
    };
    await saved.importFile(file as unknown as File);
    expect(saved.notice()).toMatchObject({
      what: 'problem',
      message: expect.stringContaining('larger than 5 million characters'),
    });
  });

  it('are removed and restored', async () => {
    const saved = savedOn(query('1', 'a'), query('2', 'b'));
    await saved.load();
    await saved.remove(query('1', 'a'));
    expect(saved.names()).toEqual(['2 /b']);
    expect(saved.notice()).toMatchObject({ what: 'removed', count: 1 });
    await saved.undo();
    expect(saved.names()).toEqual(['2 /b', '1 /a']);
  });

  it('that couldn’t be restored say why, and can be restored when that is over', async () => {
    const saved = savedOn(query('1', 'a'), query('2', 'b'));
    await saved.load();
    await saved.remove(query('1', 'a'));
    saved.breakDisk();
    await saved.undo();
    const problem = sentenceFor('disk_full', { file: 'saved.json', writtenBytes: 0 });
    expect(saved.notice()).toMatchObject({ what: 'removed', problem: expect.stringContaining(problem) });
    saved.repairDisk();
    await saved.undo();
    expect([saved.names(), saved.notice()]).toEqual([['2 /b', '1 /a'], null]);
  });

  it('are exported to a file and imported from one, with a prompt for conflicts', async () => {
    const one = savedOn(query('1', 'a', 'f', '{ x: 1 }'), query('2', 'b', 'f/g'));
    await one.load();
    await one.exportThese('f');
    const [name, text] = one.written[0] ?? ['', ''];
    expect(name).toBe('queries.wellbench');

    const other = savedOn(query('9', 'a', 'f', '{ x: 2 }'));
    await other.load();
    await other.importFile(other.file('from.json', text));
    expect(other.notice()).toMatchObject({ what: 'conflicts' });
    expect(other.names()).toEqual(['9 f/a']);
    await other.settle('both');
    expect(other.names()).toEqual(['9 f/a', 'new-1 f/g/b', 'new-2 f/a (2)']);
    expect(other.notice()).toEqual({ what: 'imported', count: 2 });
  });

  it('keep their parameters for users who open the file, but no entered values', async () => {
    const typed = '{ asset_id: {{wells}}, depth: { $gt: {{ask:depth:number}} } }';
    const deep = query('1', 'deep', '', typed);
    const one = savedOn({ ...deep, question: { ...deep.question, answers: { depth: '8000' } } });
    await one.load();
    await one.exportThese(null);
    const [, file] = one.written[0] ?? ['', ''];
    expect(file).not.toContain('8000');

    const other = savedOn();
    await other.load();
    await other.importFile(other.file('from.json', file));
    const { question } = other.queries()[0] ?? deep;
    expect(question.find.query).toBe(typed);
    expect(requiredAnswers(parametersOf(question))).toEqual([{ name: 'depth', type: 'number' }]);
    const values = { wells: [assetId.parse(5001)], company: null, now: 0, zone: 'UTC' };
    expect(() => bindQuestion(question, values)).toThrow('depth');
    const bound = bindQuestion({ ...question, answers: { depth: '9000' } }, values);
    expect(bound.find.query).toBe('{ asset_id: 5001, depth: { $gt: 9000 } }');
  });

  it('are shared as a link, or with a reason why not', async () => {
    const saved = savedOn(query('1', 'a'));
    await saved.copyLink(query('1', 'a'));
    expect(saved.copied[0]).toContain('wellbench://query?q=');
    expect(saved.notice()).toEqual({ what: 'linked', name: 'a' });
    await saved.copyLink(query('1', 'a', '', 'x'.repeat(9000)));
    expect(saved.notice()).toEqual({ what: 'problem', message: words.saved.linkTooLong });
    saved.breakDisk();
    await saved.copyLink(query('1', 'a'));
    expect(saved.notice()).toEqual({ what: 'problem', message: words.saved.linkNotCopied });
    expect(saved.copied).toHaveLength(1);
  });

  it('of colleagues are imported even if the list was never opened', async () => {
    const saved = savedOn(query('1', 'a', '', '{ x: 1 }'));
    const theirs = query('9', 'a', '', '{ x: 2 }');
    await saved.importQueries({ queries: [theirs], folders: [] });
    expect(saved.notice()).toMatchObject({ what: 'conflicts' });
    await saved.settle('replace');
    expect(saved.names()).toEqual(['1 /a']);
  });

  it('reject a file with its name and the position', async () => {
    const saved = savedOn();
    await saved.load();
    await saved.importFile(saved.file('odd.json', '{"kind":"wellbench-queries","format":1,"queries":[7]}'));
    expect(saved.notice()).toMatchObject({
      what: 'problem',
      message: expect.stringContaining('odd.json'),
    });
    expect(saved.notice()).toMatchObject({ message: expect.stringContaining('queries.0') });
  });
});

describe('the list of saved queries', () => {
  const content = {
    queries: [
      query('1', 'Zeta'),
      query('2', 'alpha 10', 'f'),
      query('3', 'alpha 9', 'f'),
      query('4', 'deep', 'f/g', '{ rop: 1 }'),
    ],
    folders: ['f', 'f/g', 'empty'],
  };
  const shown = (folded: string[], search: string) =>
    savedRows(content, new Set(folded), search).map(
      (row) =>
        `${'-'.repeat(row.depth)}${row.kind === 'folder' ? `${row.name}/${row.count}` : row.query.name}`,
    );

  it('has folders first, each with its queries', () => {
    expect(shown([], '')).toEqual(['empty/0', 'f/3', '-g/1', '--deep', '-alpha 9', '-alpha 10', 'Zeta']);
  });
  it('can be collapsed', () => {
    expect(shown(['f'], '')).toEqual(['empty/0', 'f/3', 'Zeta']);
  });
  it('is searched by name, folder, and query, even in collapsed folders', () => {
    expect(shown(['f'], 'ROP')).toEqual(['f/1', '-g/1', '--deep']);
    expect(shown([], 'nothing such')).toEqual([]);
  });
  it('is searched by another name of the channel that a query names', () => {
    const question = questionText.parse({ find: { query: '{ "data.weight_on_bit": { $gt: 20 } }' } });
    const queries = [query('1', 'Zeta'), { ...query('6', 'Heavy'), question }];
    const found = (search: string) => savedRows({ queries, folders: [] }, new Set(), search);
    expect(found('WOB')).toMatchObject([{ query: { name: 'Heavy' } }]);
    expect(found('')).toHaveLength(2);
  });
  it('is searched by statements of SQL', () => {
    const question = questionText.parse({ mode: 'sql', sql: { statement: 'SELECT avg(hookload) FROM t' } });
    const statement = { ...query('5', 'Means'), question };
    const rows = savedRows({ queries: [query('1', 'Zeta'), statement], folders: [] }, new Set(), 'HOOKLOAD');
    expect(rows).toMatchObject([{ query: { name: 'Means' } }]);
  });
});
