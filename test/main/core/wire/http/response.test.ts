import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gunzipWithin, outlineJson } from '../../../../../src/main/core/wire/http/exchange.ts';
import * as fc from 'fast-check';

const mb = 1024 * 1024;
const gunzipUrl = new URL('../../../../../src/main/core/wire/http/exchange.ts', import.meta.url).href;

/**
 * Decompresses bombs of this many MB of blanks in a process of their own: one that says its size, and one that says a small
 * one. @returns whether both are refused, and its maximum memory, in MB
 */
async function memoryOf(bombMb: number, limitMb: number): Promise<{ refused: boolean[]; mb: number }> {
  const script = `
    import { existsSync, readFileSync } from 'node:fs';
    import { createGzip } from 'node:zlib';
    import { Readable } from 'node:stream';
    import { buffer } from 'node:stream/consumers';
    import { gunzipWithin } from '${gunzipUrl}';
    const blanks = Buffer.alloc(${mb}, 0x20);
    const packed = await buffer(Readable.from(Array(${bombMb}).fill(blanks)).pipe(createGzip({ level: 1 })));
    const refused = [];
    for (const saysSmall of [false, true]) {
      if (saysSmall) packed.writeUInt32LE(100, packed.length - 4);
      refused.push((await gunzipWithin(packed, ${limitMb * mb}).catch(() => 'damaged')) === null);
    }
    // Linux counts what the process that started this one held into maxRSS, but not into VmHWM.
    const peak = existsSync('/proc/self/status')
      ? /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
      : process.resourceUsage().maxRSS;
    console.log(JSON.stringify({ refused, mb: Number(peak) / 1024 }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  return JSON.parse(stdout);
}

describe('gzip', () => {
  it.each([0, 1, 100, 40 * mb])('of %i bytes is decompressed completely', async (bytes) => {
    const result = await gunzipWithin(gzipSync(Buffer.alloc(bytes, 0x61)), 64 * mb);
    expect(result?.equals(Buffer.alloc(bytes, 0x61))).toBe(true);
  });

  it('of several members is decompressed completely, even if the last one has a smaller size', async () => {
    const packed = Buffer.concat([gzipSync(Buffer.alloc(40 * mb)), gzipSync('end')]);
    expect((await gunzipWithin(packed, 64 * mb))?.length).toBe(40 * mb + 3);
  });

  it('that is larger than allowed is rejected', async () => {
    expect(await gunzipWithin(gzipSync(Buffer.alloc(1001)), 1000)).toBeNull();
    expect(await gunzipWithin(gzipSync(Buffer.alloc(1000)), 1000)).toHaveLength(1000);
  });

  it('with a bomb of 300 MB is rejected within 200 MB, also if it says that it is small', async () => {
    const { refused, mb: used } = await memoryOf(300, 250);
    expect(refused).toEqual([true, true]);
    expect(used).toBeLessThan(200);
  });
});

const shape = (text: string) => outlineJson(Buffer.from(text));

describe('the shape of a JSON text', () => {
  it('counts the items of an array', () => {
    expect(shape('[]')).toEqual({ isComplete: true, kind: 'array', items: 0, hasInvalidCharacter: false });
    expect(shape(' [ {"a":[1,2]} , 3 ]\n')).toEqual({
      isComplete: true,
      kind: 'array',
      items: 2,
      hasInvalidCharacter: false,
    });
    expect(shape('["a,b]", "\\"," ]').items).toBe(2);
    expect(shape('[[],[]]').items).toBe(2);
  });

  it('distinguishes an object and a single value from an array', () => {
    expect(shape('{"a":1,"b":[2,3]}')).toMatchObject({ isComplete: true, kind: 'object' });
    expect(shape('12')).toMatchObject({ isComplete: true, kind: 'other' });
    expect(shape('')).toMatchObject({ isComplete: false });
    expect(shape('  ')).toMatchObject({ isComplete: false });
    expect(shape('"cut o')).toMatchObject({ isComplete: false });
  });

  it('ignores a byte order mark', () => {
    expect(shape('\uFEFF[1]')).toEqual({
      isComplete: true,
      kind: 'array',
      items: 1,
      hasInvalidCharacter: false,
    });
  });

  it('reports invalid JSON outside strings', () => {
    expect(shape('[{"a":NaN}]').hasInvalidCharacter).toBe(true);
    expect(shape('[Infinity]').hasInvalidCharacter).toBe(true);
    expect(shape('[1] trailing').hasInvalidCharacter).toBe(true);
    expect(shape('[1][2]').hasInvalidCharacter).toBe(true);
    expect(shape('[1]]').hasInvalidCharacter).toBe(true);
    expect(shape(']').isComplete).toBe(false);
    expect(shape('["NaN <html> é 井"]').hasInvalidCharacter).toBe(false);
  });

  it('has the same count as JSON.parse, without false errors', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1), (items, indent) => {
        const text = JSON.stringify(items, null, indent);
        expect(shape(text)).toEqual({
          isComplete: true,
          kind: 'array',
          items: items.length,
          hasInvalidCharacter: false,
        });
      }),
    );
  });

  it('never accepts a truncated text', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.nat(), (items, at) => {
        const bytes = Buffer.from(JSON.stringify(items));
        expect(outlineJson(bytes.subarray(0, at % bytes.length)).isComplete).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});
