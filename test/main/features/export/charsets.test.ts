import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { useFolders } from '../../../support/folders.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';
import type { ExportFormat } from '../../../../src/shared/export/export.ts';
import { exportEngine, planFor, runExport } from './support/jobs.ts';
import { Rows } from './support/rows.ts';
import { recordsService } from './support/service.ts';

const folder = useFolders();
const servers = useServers();
const open = useServices();
const address = { provider: 'demo', dataset: 'wits' };
const find = { query: {}, sort: { timestamp: 1 }, limit: 10 } as const;

const texts = [
  '{"_id":"i1","asset_id":5001,"timestamp":1700000000000,"data":{"note":"café ±","café":1}}',
  '{"_id":"i2","asset_id":5001,"timestamp":1700000001000,"data":{"note":"Ørn 12°","café":2}}',
];

/** A service that sends records in an encoding, under this content type. */
async function service(encoding: BufferEncoding, contentType: string) {
  const answer = recordsService(new Rows(texts));
  const { url } = await servers.http((request, response, socket) => {
    const end = response.end.bind(response);
    const encoded = (body: string) => {
      response.setHeader('content-type', contentType);
      return end(Buffer.from(body, encoding));
    };
    return answer(request, Object.assign(response, { end: encoded }), socket);
  });
  return open(url);
}

async function exported(
  services: Awaited<ReturnType<typeof service>>,
  format: ExportFormat,
): Promise<Buffer> {
  const target = await folder();
  await runExport(services, await folder(), planFor(target, { format }), {}, exportEngine);
  return readFileSync(join(target, `out.${format}`));
}

describe('records of another charset', () => {
  it.each([
    ['latin1', 'application/json; charset=iso-8859-1'],
    ['latin1', 'application/json;charset="Windows-1252"'],
    ['utf16le', 'application/json; charset=UTF-16LE'],
    ['utf8', 'application/json; charset=UTF-8'],
    ['utf8', 'application/json'],
    // The default charset of some servers, whatever they send.
    ['utf8', 'application/json; charset=ISO-8859-1'],
  ] as const)('in %s, sent as %s, are found and exported as they are', async (encoding, contentType) => {
    const services = await service(encoding, contentType);
    expect((await services.data.find(address, find)).text).toBe(`[${texts.join(',')}]`);
    expect((await exported(services, 'ndjson')).toString()).toBe(`${texts.join('\n')}\n`);
  });

  it('have their values and names of fields in tables', async () => {
    const services = await service('latin1', 'application/json; charset=iso-8859-1');
    const csv = (await exported(services, 'csv')).toString();
    expect(csv).toContain('data.café');
    expect(csv).toContain('Ørn 12°');
    const rows = await parquetReadObjects({
      file: Uint8Array.from(await exported(services, 'parquet')).buffer,
      compressors: { ZSTD: (input) => zstdDecompressSync(input) },
    });
    expect(rows.map((row) => [row['data.note'], row['data.café']])).toEqual([
      ['café ±', 1n],
      ['Ørn 12°', 2n],
    ]);
  });

  it('that isn’t named are an error with their place, in place of replacement characters', async () => {
    const services = await service('latin1', 'application/json');
    const error = { code: 'bad_answer', message: expect.stringMatching(/byte \d+, E9.*“.*"note":"caf”/) };
    await expect(services.data.find(address, find)).rejects.toMatchObject(error);
    for (const format of ['ndjson', 'csv', 'parquet', 'xlsx'] as const)
      await expect(exported(services, format)).rejects.toMatchObject(error);
  });

  it('that isn’t known is an error', async () => {
    const services = await service('latin1', 'application/json; charset=x-mac-nordic');
    await expect(services.data.find(address, find)).rejects.toMatchObject({
      code: 'bad_answer',
      message: expect.stringContaining('x-mac-nordic'),
    });
  });
});
