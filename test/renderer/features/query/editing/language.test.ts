import { describe, expect, it } from 'vitest';
import {
  createLanguage,
  type EditorKnowledge,
} from '../../../../../src/renderer/features/query/editing/language.ts';
import { noKnowledge, type Knowledge } from '../../../../../src/shared/language/knowledge.ts';
import { serve, webPort } from '../../../../../src/shared/threads.ts';
import { platformWellId } from '../../../../../src/shared/wells/wells.ts';

const knowing = (findWells: EditorKnowledge['findWells'] = () => []): EditorKnowledge => ({
  base: noKnowledge,
  findWells,
});

/** A thread that responds with these calls, and the data it had at each. */
function languageWith(calls: Record<string, (input: never) => unknown>) {
  let started = 0;
  const language = createLanguage(() => {
    started += 1;
    const { port1, port2 } = new MessageChannel();
    serve(webPort(port2), calls);
    return webPort(port1);
  });
  return { language, started: () => started };
}

describe('the language thread', () => {
  it('is started on demand, and once', async () => {
    const { language, started } = languageWith({ format: (text: string) => `${text} ` });
    expect(started()).toBe(0);
    expect(await Promise.all([language.format('{a:1}'), language.format('{b:1}')])).toEqual([
      '{a:1} ',
      '{b:1} ',
    ]);
    expect(started()).toBe(1);
  });

  it('returns no problems and no completions after an error', async () => {
    const fail = () => {
      throw new Error('it is odd');
    };
    const { language } = languageWith({
      lint: fail,
      complete: fail,
      hover: fail,
      format: fail,
      options: fail,
    });
    const known = knowing();
    expect(
      await Promise.all([
        language.lint('{', 'query', known),
        language.complete('{', 'query', 1, known),
        language.hover('{', 'query', 1, known),
        language.format('{'),
        language.options({ kind: 'find', query: '', sort: '', limit: 0 }, known),
      ]),
    ).toEqual([[], [], null, null, []]);
  });

  it('receives the wells that a text may name', async () => {
    const wells: unknown[] = [];
    const note = ({ knowledge }: { knowledge: Knowledge }) => {
      wells.push(knowledge.wells);
      return [];
    };
    const { language } = languageWith({ lint: note, complete: note });
    const inputs: unknown[] = [];
    const ridge = { name: 'Ridge A-100H', assetId: null, platformId: platformWellId.parse(7) };
    const known = knowing((mentions) => {
      inputs.push(mentions);
      return [ridge];
    });
    await language.lint('{asset_id: {$in: [5003, -7, "Ridge A"]}, a: 1.5}', 'query', known);
    await language.complete('{asset_id: Ridge A', 'query', 18, known);
    expect(inputs).toEqual([
      { ids: [5003], names: ['Ridge A'], incomplete: null },
      { ids: [], names: [], incomplete: 'Ridge A' },
    ]);
    expect(wells).toEqual([[ridge], [ridge]]);
  });
});
