import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Source } from '../../../../../src/main/core/tables/reading/source.ts';
import {
  jsonPieces,
  SeveralValues,
  type PieceKind,
} from '../../../../../src/main/core/tables/sources/json.ts';
import { AppError } from '../../../../../src/shared/errors/errors.ts';

/** A file in memory that gives at most some bytes for each read. */
const sourceOf = (content: Buffer, maxBytes: number): Source => ({
  bytes: content.length,
  path: '',
  fileName: 'a.json',
  mtimeMs: 0,
  placeOf: null,
  touched: () => false,
  sample: () => content,
  read: (target, at, length, position) =>
    content.copy(target, at, position, position + Math.min(length, maxBytes)),
  close: () => undefined,
  [Symbol.dispose]: () => undefined,
});

function piecesOf(text: string | Buffer, kind: PieceKind = 'lists', maxBytes = 1 << 20) {
  const source = sourceOf(Buffer.from(text), maxBytes);
  return [...jsonPieces(source, kind)];
}

const lists = fc.array(fc.jsonValue(), { maxLength: 6 });

describe('the pieces of a list', () => {
  it('are the texts of its elements, wherever reads end', () => {
    fc.assert(
      fc.property(
        lists,
        fc.constantFrom(undefined, 1, '\t'),
        fc.integer({ min: 1, max: 9 }),
        (list, indent, maxBytes) => {
          const pieces = piecesOf(JSON.stringify(list, null, indent), 'lists', maxBytes);
          expect(pieces.map(({ text }) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(list)));
          expect(pieces.map(({ place }) => place)).toEqual(list.map((_, at) => at + 1));
        },
      ),
    );
  });

  it('are an error if the text is cut off, wherever that is', () => {
    fc.assert(
      fc.property(lists, (list) => {
        const bytes = Buffer.from(JSON.stringify(list));
        const accepted = Array.from(bytes.keys()).filter((length) => {
          try {
            return piecesOf(bytes.subarray(0, length));
          } catch (error) {
            expect(error).toBeInstanceOf(AppError);
            return false;
          }
        });
        expect(accepted).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  it('have the lines on which they begin', () => {
    const pieces = piecesOf('[\n{"a":1},\n{"b":\n[1]},\n\n{"c":2}]');
    expect(pieces.map(({ line }) => line)).toEqual([2, 3, 6]);
  });
});

describe('the pieces of objects', () => {
  it('are the values of their members, with paths and places in lists', () => {
    const shown = piecesOf('{"a":{"b":[{"x":1},[2]],"c":"d"},"e":[3]}').map(
      ({ path, place, kind, text }) => ({ path, place, kind, text }),
    );
    expect(shown).toEqual([
      { path: 'a.b', place: 1, kind: 'object', text: '{"x":1}' },
      { path: 'a.b', place: 2, kind: 'list', text: '[2]' },
      { path: 'a.c', place: 0, kind: 'other', text: '"d"' },
      { path: 'e', place: 1, kind: 'other', text: '3' },
    ]);
  });

  it('of several logs have the number of their log', () => {
    const pieces = piecesOf('[{"h":1,"data":[[1],[2]]},{"data":[[3]]}]', 'logs');
    expect(pieces.map(({ log, path, place }) => [log, path, place])).toEqual([
      [1, 'h', 0],
      [1, 'data', 1],
      [1, 'data', 2],
      [2, 'data', 1],
    ]);
  });

  it('that follow each other are read as a sequence', () => {
    expect(() => piecesOf('{"a":1}\n{"a":2}')).toThrow(SeveralValues);
    const pieces = piecesOf('{"a":1}\n{"a":2}', 'values');
    expect(pieces.map(({ text, place, line }) => [text, place, line])).toEqual([
      ['{"a":1}', 1, 1],
      ['{"a":2}', 2, 2],
    ]);
  });
});
