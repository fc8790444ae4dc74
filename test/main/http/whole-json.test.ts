import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shapeOf } from '../../../src/main/http/whole-json.ts';

const shape = (text: string) => shapeOf(Buffer.from(text));

describe('the shape of a JSON text', () => {
  it('counts the items of an array', () => {
    expect(shape('[]')).toEqual({ whole: true, kind: 'array', items: 0, strange: false });
    expect(shape(' [ {"a":[1,2]} , 3 ]\n')).toEqual({ whole: true, kind: 'array', items: 2, strange: false });
    expect(shape('["a,b]", "\\"," ]').items).toBe(2);
    expect(shape('[[],[]]').items).toBe(2);
  });

  it('tells an object and a bare value from an array', () => {
    expect(shape('{"a":1,"b":[2,3]}')).toMatchObject({ whole: true, kind: 'object' });
    expect(shape('12')).toMatchObject({ whole: true, kind: 'other' });
    expect(shape('')).toMatchObject({ whole: false });
    expect(shape('  ')).toMatchObject({ whole: false });
    expect(shape('"cut o')).toMatchObject({ whole: false });
  });

  it('passes over a byte order mark', () => {
    expect(shape('\uFEFF[1]')).toEqual({ whole: true, kind: 'array', items: 1, strange: false });
  });

  it('sees what is no JSON outside strings', () => {
    expect(shape('[{"a":NaN}]').strange).toBe(true);
    expect(shape('[Infinity]').strange).toBe(true);
    expect(shape('[1] trailing').strange).toBe(true);
    expect(shape('[1][2]').strange).toBe(true);
    expect(shape('[1]]').strange).toBe(true);
    expect(shape(']').whole).toBe(false);
    expect(shape('["NaN <html> é 井"]').strange).toBe(false);
  });

  it('counts what JSON.parse counts, and finds nothing strange in it', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1), (items, indent) => {
        const text = JSON.stringify(items, null, indent);
        expect(shape(text)).toEqual({ whole: true, kind: 'array', items: items.length, strange: false });
      }),
    );
  });

  it('never takes a text that was cut off for a whole one', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.nat(), (items, at) => {
        const bytes = Buffer.from(JSON.stringify(items));
        expect(shapeOf(bytes.subarray(0, at % bytes.length)).whole).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});
