import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAppError } from '../../../src/shared/errors/errors.ts';
import { linkTo, queryFromLink, toShared } from '../../../src/shared/saved/sharing.ts';
import { questionText } from '../../../src/shared/query/question.ts';
import { resultsLook } from '../../../src/shared/tabs/plot.ts';

const query = (text: string, name = 'Rate') => ({
  name,
  folder: '',
  provider: 'demo',
  dataset: 'wits',
  question: questionText.parse({ find: { query: text }, answers: { least: '30' } }),
});
const linkOf = (value: unknown): string => `wellbench://query?q=${encodeURIComponent(JSON.stringify(value))}`;
const reason = (address: string): string => {
  try {
    queryFromLink(address);
    return 'none';
  } catch (error) {
    if (isAppError(error, 'file_unsuitable')) return error.details.reason;
    return isAppError(error, 'file_too_new') ? 'too new' : String(error);
  }
};

describe('a link to a query', () => {
  it('restores any text that users type, and no values of parameters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const link = linkTo(query(text));
        expect(link).toMatch(/^wellbench:\/\/query\?q=[\w%.!~*'()-]+$/);
        const one = query(text);
        const { queries } = queryFromLink(link ?? '');
        expect(queries).toEqual([{ ...one, question: { ...one.question, answers: {} } }]);
      }),
    );
  });

  it('restores how the result is shown, with all that is off in it', () => {
    const look = resultsLook.parse({
      view: 'plot',
      plot: {
        kind: 'scatter',
        x: 'data.rop',
        y: ['data.wob'],
        align: 'recorded',
        isReversed: false,
        curves: { 'data.wob': { scale: { left: 0, right: 40, isLog: false }, unit: '' } },
        crossplot: { color: null, isLogX: false, isLogY: true, hasRegression: false, hasHistograms: false },
      },
    });
    const link = linkTo({ ...query('{}'), look }) ?? '';
    expect(queryFromLink(link).queries.map((shared) => shared.look)).toEqual([look]);
  });

  it('is short, accepts the slash that systems add, and doesn’t exist when the query is too long', () => {
    const link = linkTo(query('{ a: 1 }')) ?? '';
    expect(link.length).toBeLessThan(500);
    expect(queryFromLink(link.replace('query?', 'query/?')).queries).toHaveLength(1);
    expect(linkTo(query('x'.repeat(9000)))).toBeNull();
  });

  const sound = toShared([query('{}')], []);
  it.each([
    ['another host', 'wellbench://run?q=%7B%7D', 'it isn’t a Wellbench link'],
    ['another parameter', `${linkOf(sound)}&run=1`, 'it isn’t a Wellbench link'],
    ['a fragment', `${linkOf(sound)}#now`, 'it isn’t a Wellbench link'],
    ['a user', linkOf(sound).replace('//', '//me@'), 'it isn’t a Wellbench link'],
    ['quotes, which end arguments', `${linkOf(sound)}" --inspect`, 'it isn’t a Wellbench link'],
    ['too much data', `${linkOf(sound)}${'x'.repeat(9000)}`, 'too long'],
    ['half a character', 'wellbench://query?q=%E0%A4%A', 'damaged'],
    ['invalid JSON', 'wellbench://query?q=hello', 'it isn’t JSON'],
    ['no query', linkOf({ ...sound, queries: [] }), 'one query'],
    ['two queries', linkOf(toShared([query('{}'), query('{}', 'b')], [])), 'one query'],
    ['folders', linkOf({ ...sound, folders: ['a'] }), 'one query'],
    ['another type', linkOf({ ...sound, kind: 'commands' }), 'no saved queries'],
    ['a prototype', 'wellbench://query?q=%7B%22__proto__%22%3A%7B%7D%7D', '__proto__'],
    ['a newer format', linkOf({ ...sound, format: 99 }), 'too new'],
  ])('is rejected with %s', (_words, address, why) => {
    expect(reason(address)).toContain(why);
  });
});
