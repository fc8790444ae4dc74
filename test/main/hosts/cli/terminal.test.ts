import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '../../../../src/main/hosts/cli/main.ts';
import { useFolders } from '../../../support/folders.ts';
import { useServers } from '../../../support/servers.ts';

const folder = useFolders();
const servers = useServers();

// A one-character control sequence, DEL, a bidirectional override, and a line separator.
const hostile = 'a\u009b2Jb\u007fc\u202ed\u2028e';
const visible = 'a\\u009b2Jb\\u007fc\\u202ed\\u2028e';
const record = { _id: '1', [`data ${hostile}`]: hostile, text: 'two\nlines' };

const service = async (status = 200) => {
  const server = await servers.http(({ url }, response) => {
    if (url.pathname.includes('/dataset/'))
      return { id: 1, provider: 'demo', name: 'demo#wits', data_type: 'time', indexes: [], schema: {} };
    if (status === 200) return [record];
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code: status, message: hostile }));
    return undefined;
  });
  return {
    WELLBENCH_DATA_URL: server.url,
    WELLBENCH_PLATFORM_URL: server.url,
    WELLBENCH_API_KEY: 'k',
    WELLBENCH_KEYCHAIN: 'off',
  };
};

/** Runs a command whose streams are, or are not, a terminal. */
async function run(args: readonly string[], isTTY: boolean, status?: number) {
  const streams = [0, 1].map(() => Object.assign(new PassThrough(), { isTTY, columns: 80 }));
  const [stdout, stderr] = streams as [(typeof streams)[0], (typeof streams)[0]];
  const output = Promise.all(streams.map(async (stream) => (await buffer(stream)).toString()));
  const { signal } = new AbortController();
  const env = await service(status);
  const code = await runToEnd([...args, '--data-dir', await folder()], { env, stdout, stderr, signal }).code;
  for (const stream of streams) stream.end();
  const [out = '', err = ''] = await output;
  return { code, out, err };
}

const find = ['find', 'demo/wits', '--query', '{ asset_id: 1 }', '--sort', '{ timestamp: 1 }'];

describe('control characters of a service', () => {
  it.each(['ndjson', 'json', 'csv'])('are escaped on a terminal, as %s', async (format) => {
    const { code, out } = await run([...find, '--format', format], true);
    expect(code).toBe(0);
    expect(out).toContain(visible);
    expect(out).not.toMatch(/[\u007f-\u009f\u202e\u2028]/);
    if (format === 'ndjson') expect(JSON.parse(out)).toEqual(record);
  });

  it('are unchanged for a program that reads them', async () => {
    const { out } = await run(find, false);
    expect(out).toBe(`${JSON.stringify(record)}\n`);
  });

  it.each([
    ['a sentence', []],
    ['JSON', ['--json']],
  ])('are escaped in an error, as %s', async (_form, more) => {
    const { code, err } = await run([...find, ...more], true, 400);
    expect(code).not.toBe(0);
    expect(err).toContain('c\\u202ed');
    expect(err).not.toMatch(/[\u007f-\u009f\u202e\u2028]/);
  });

  const pty = existsSync('/usr/bin/script') && process.platform === 'linux';
  it.skipIf(!pty)('are escaped on a real terminal', async () => {
    const entry = join(import.meta.dirname, '../../../../src/main/cli.ts');
    const args = [...find, '--data-dir', await folder()].map((each) => `'${each}'`).join(' ');
    const env = { ...process.env, ...(await service()) };
    const command = `'${process.execPath}' '${entry}' ${args}`;
    const { stdout } = await promisify(execFile)('/usr/bin/script', ['-qec', command, '/dev/null'], { env });
    expect(stdout).toContain(visible);
    expect(stdout).not.toMatch(/[\u007f-\u009f\u202e\u2028]/);
  });
});
