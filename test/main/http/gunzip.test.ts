import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gunzipWithin } from '../../../src/main/http/gunzip.ts';

const mb = 1024 * 1024;
const gunzipUrl = new URL('../../../src/main/http/gunzip.ts', import.meta.url).href;

/** Unpacks a bomb of so many MB of blanks in a process of its own. @returns its memory at most, in MB */
async function memoryOf(bombMb: number, saysSmall: boolean): Promise<{ refused: boolean; mb: number }> {
  const script = `
    import { existsSync, readFileSync } from 'node:fs';
    import { createGzip } from 'node:zlib';
    import { Readable } from 'node:stream';
    import { buffer } from 'node:stream/consumers';
    import { gunzipWithin } from '${gunzipUrl}';
    const blanks = Buffer.alloc(${mb}, 0x20);
    const packed = await buffer(Readable.from(Array(${bombMb}).fill(blanks)).pipe(createGzip()));
    if (${saysSmall}) packed.writeUInt32LE(100, packed.length - 4);
    const given = await gunzipWithin(packed, ${512 * mb}).catch(() => 'damaged');
    // Linux counts what the process that started this one held into maxRSS, but not into VmHWM.
    const peak = existsSync('/proc/self/status')
      ? /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
      : process.resourceUsage().maxRSS;
    console.log(JSON.stringify({ refused: given === null, mb: Number(peak) / 1024 }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  return JSON.parse(stdout);
}

describe('gzip', () => {
  it.each([0, 1, 100, 40 * mb])('of %i bytes is unpacked whole', async (bytes) => {
    const given = await gunzipWithin(gzipSync(Buffer.alloc(bytes, 0x61)), 64 * mb);
    expect(given?.equals(Buffer.alloc(bytes, 0x61))).toBe(true);
  });

  it('of several members is unpacked whole, though the last says less', async () => {
    const packed = Buffer.concat([gzipSync(Buffer.alloc(40 * mb)), gzipSync('end')]);
    expect((await gunzipWithin(packed, 64 * mb))?.length).toBe(40 * mb + 3);
  });

  it('that is larger than allowed is refused', async () => {
    expect(await gunzipWithin(gzipSync(Buffer.alloc(1001)), 1000)).toBeNull();
    expect(await gunzipWithin(gzipSync(Buffer.alloc(1000)), 1000)).toHaveLength(1000);
  });

  it.each([false, true])('a bomb of 700 MB is refused within 250 MB (its length a lie: %s)', async (lie) => {
    const { refused, mb: used } = await memoryOf(700, lie);
    expect(refused).toBe(true);
    expect(used).toBeLessThan(250);
  });
});
