import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { runToEnd } from '../../../../src/main/hosts/cli/main.ts';
import { makeCertificates } from '../../../support/certificates.ts';
import { cliEnd, connectionEnv, firstLine, runCli, runInProcess, startCli } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { useServers } from '../../../support/servers.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 20_000, wells: 10 });
});
afterAll(() => demo.close());
const folder = useFolders();
const servers = useServers();

const at = (url: string) => ({
  WELLBENCH_DATA_URL: url,
  WELLBENCH_PLATFORM_URL: url,
  WELLBENCH_API_KEY: 'k',
});
const inFolder = async (...args: string[]) => [...args, '--data-dir', await folder()];

describe('invalid usage', () => {
  it.each([
    ['options without a command', ['--data-dir', 'x']],
    ['an unknown command', ['fnd']],
    ['an unknown option', ['find', 'demo/wits', '--quary', '{}']],
    ['a missing argument', ['find']],
    ['an extra argument', ['count', 'demo/wits', 'demo/wits']],
    ['a missing option', ['pipeline', 'demo/wits']],
    ['a value outside the options', ['find', 'demo/wits', '--format', 'xml']],
    ['a command group without a command', ['jobs']],
    ['an invalid dataset', ['count', 'wits']],
  ])('%s: exit code 2 and a message', async (_what, args) => {
    const { code, stdout, stderr } = await runInProcess(args, connectionEnv(demo));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\.\n$/);
    const asJson = await runInProcess([...args, '--json'], connectionEnv(demo));
    expect(asJson).toMatchObject({ code: 2, stdout: '' });
    expect(asJson.error()).toMatchObject({ code: 'invalid_input', message: stderr.trimEnd() });
  });

  it('suggests the intended command', async () => {
    expect((await runInProcess(['fnd'])).stderr).toContain('Did you mean find?');
    expect((await runInProcess(['find', 'a/b', '--limt', '1'])).stderr).toContain('Did you mean --limit?');
  });

  it('prints help on stdout, with exit code 0', async () => {
    const { code, stdout } = await runCli(['--help']);
    expect(code).toBe(0);
    for (const command of ['demo', 'wells', 'find', 'export', 'upload', 'jobs'])
      expect(stdout).toContain(command);
    expect((await runCli(['help', 'wells'])).stdout).toContain('--asset-id <n>');
    expect(await runCli(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });
});

describe('connections', () => {
  it('name each missing variable', async () => {
    const ended = await runInProcess(await inFolder('count', 'demo/wits', '--json'), {
      WELLBENCH_API_KEY: 'k',
    });
    expect(ended.code).toBe(2);
    expect(ended.error()).toMatchObject({
      code: 'invalid_input',
      details: {
        issues: [{ place: { field: 'WELLBENCH_DATA_URL' } }, { place: { field: 'WELLBENCH_PLATFORM_URL' } }],
      },
    });
  });

  it('report an unknown connection, and list the one from the environment', async () => {
    const unknown = await runInProcess(
      await inFolder('wells', '--connection', 'North', '--json'),
      connectionEnv(demo),
    );
    expect(unknown.code).toBe(2);
    expect(unknown.error()).toMatchObject({ code: 'connection_unknown', details: { connection: 'North' } });
    const list = await runInProcess(await inFolder('connections', 'list', '--json'), connectionEnv(demo));
    expect(list.summary()).toMatchObject({ connections: [{ dataUrl: demo.dataUrl, secret: 'environment' }] });
    expect(list.stdout).not.toContain(demo.apiKeys.write);
  });

  it('sign in by email and password', async () => {
    const { WELLBENCH_API_KEY: _key, ...env } = connectionEnv(demo);
    const { email, password } = demo.login;
    const login = { ...env, WELLBENCH_EMAIL: email, WELLBENCH_PASSWORD: password };
    expect(
      await runInProcess(await inFolder('count', 'demo/wits', '--query', '{ company_id: 1 }'), login),
    ).toMatchObject({ code: 0, stderr: '' });
    const wrong = await runInProcess(await inFolder('count', 'demo/wits', '--json'), {
      ...login,
      WELLBENCH_PASSWORD: 'no',
    });
    expect(wrong.code).toBe(4);
    expect(wrong.error()).toMatchObject({ code: 'not_authenticated' });
  });

  it('exit with 4 for a wrong key, and never show it', async () => {
    const env = { ...connectionEnv(demo), WELLBENCH_API_KEY: 'a-wrong-key-of-ours' };
    for (const command of [['count', 'demo/wits'], ['wells'], ['connections', 'test']]) {
      const ended = await runInProcess(await inFolder(...command, '--json'), env);
      expect(ended.code).toBe(4);
      expect(ended.stdout + ended.stderr).not.toContain('a-wrong-key-of-ours');
      expect(ended.stdout + ended.stderr).toContain('not_authenticated');
    }
  });

  it('exit with 1 for a service that can’t be reached', async () => {
    const { url } = await servers.nobody();
    const ended = await runInProcess(await inFolder('connections', 'test', '--json'), at(url));
    expect(ended.code).toBe(1);
    expect(ended.summary()).toMatchObject({ data: { ok: false, code: 'unreachable' } });
  });

  it('exit with 1 for a service that can’t be trusted', async () => {
    const { url } = await servers.https(makeCertificates([]), () => []);
    const ended = await runInProcess(await inFolder('find', 'demo/wits', '--json'), at(url));
    expect(ended.code).toBe(1);
    expect(ended.error()).toMatchObject({ code: 'unreachable', details: { reason: 'tls' } });
  });

  it('are not saved without a keychain, with an error', async () => {
    const args = [
      'connections',
      'add',
      'North',
      '--data-url',
      demo.dataUrl,
      '--platform-url',
      demo.platformUrl,
    ];
    const { code, stdout, stderr } = await runCli(await inFolder(...args), {}, 'a secret\n');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/weren’t saved.*WELLBENCH_API_KEY/);
  });
});

describe('output', () => {
  it('ends without an error when its reader closes the pipe', async () => {
    const child = startCli(await inFolder('find', 'demo/wits', '--limit', '10000'), connectionEnv(demo));
    child.stdout?.once('data', () => child.stdout?.destroy());
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
    expect(child.stderr?.read()).toBeNull();
  });

  it.each([
    ['connections test', [], 1],
    ['connections test', ['--json'], 1],
    ['quality', [], 3],
    ['quality', ['--json'], 3],
  ] as const)('without a reader doesn’t change the exit code of %s %j', async (command, args, code) => {
    const [{ url }, work] = [await servers.nobody(), await folder()];
    const file = join(work, 'log.csv');
    await writeFile(
      file,
      'Time,ROP\n2026-05-01T00:00:00Z,1\n2026-05-01T01:00:00Z,2\n2026-05-01T05:00:00Z,3\n',
    );
    const words = command === 'quality' ? ['quality', file, '--max-gap', '2h'] : command.split(' ');
    const stderr = new PassThrough();
    stderr.resume();
    const context = {
      env: at(url),
      stdout: new PassThrough().destroy(),
      stderr,
      signal: AbortSignal.timeout(60_000),
    };
    expect(await runToEnd(await inFolder(...words, ...args), context).code).toBe(code);
  });

  it.skipIf(!existsSync('/dev/full'))('reports a full disk', async () => {
    const full = await open('/dev/full', 'w');
    const child = startCli(await inFolder('find', 'demo/wits', '--json'), connectionEnv(demo), full.fd);
    const ended = await cliEnd(child);
    await full.close();
    expect(ended.code).toBe(1);
    expect(ended.error()).toMatchObject({ code: 'disk_full' });
  });

  it('shows no control characters from services on a terminal', async () => {
    const well = { id: 1, type: 'well', attributes: { name: 'A\u001b[2J\nB', asset_id: 2 } };
    const { url } = await servers.http(({ url: request }) =>
      request.searchParams.get('page') === '1' ? { data: [well] } : { data: [] },
    );
    const { code, stdout } = await runInProcess(await inFolder('wells'), at(url));
    expect(code).toBe(0);
    expect(stdout).toContain('A\\u001b[2J\\u000aB');
  });
});

describe('Ctrl-C', () => {
  it('cancels a read immediately, with exit code 130', async () => {
    let onRequest = (): void => undefined;
    const silent = new Promise<void>((resolve) => (onRequest = resolve));
    const { url } = await servers.http(() => onRequest());
    const child = startCli(await inFolder('count', 'demo/wits', '--json'), at(url));
    await silent;
    child.kill('SIGINT');
    const ended = await cliEnd(child);
    expect(ended).toMatchObject({ code: 130, stdout: '' });
    expect(ended.error()).toMatchObject({ code: 'cancelled' });
  });

  it('reports each wait before a retry once, whatever number of requests wait, and the error at the end', async () => {
    const { url } = await servers.http((_seen, response) => {
      response.writeHead(503).end();
    });
    const child = startCli(await inFolder('count', 'demo/wits', '--json'), at(url));
    child.stderr?.once('data', () => child.kill('SIGINT'));
    const ended = await cliEnd(child);
    expect(ended.code).toBe(130);
    expect(ended.stderr).toMatch(/^The data service failed \(503\).*Trying .* again in \d+ s\.\n/);
    expect(ended.stderr.match(/Trying/g)).toHaveLength(1);
    expect(ended.error()).toMatchObject({ code: 'cancelled' });
  });
});

const announced = z.object({
  dataUrl: z.string(),
  platformUrl: z.string(),
  apiKeys: z.object({ write: z.string(), read: z.string() }),
  login: z.object({ email: z.string(), password: z.string() }),
});

describe('demo and serve', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'demo: one line of JSON, both services on one port, until %s',
    async (signal) => {
      const child = startCli(['demo', '--records', '100', '--wells', '3', '--fault', 'latency_ms=1']);
      const addresses = announced.parse(await firstLine(child));
      expect(addresses.platformUrl.startsWith(addresses.dataUrl)).toBe(true);
      const env = {
        ...at(addresses.dataUrl),
        WELLBENCH_PLATFORM_URL: addresses.platformUrl,
        WELLBENCH_API_KEY: addresses.apiKeys.read,
      };
      expect((await runInProcess(await inFolder('wells', '--json'), env)).summary()).toEqual({ count: 3 });
      const ended = cliEnd(child);
      child.kill(signal);
      expect(await ended).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it.each([
    ['an unknown fault', ['demo', '--fault', 'gremlins=1']],
    ['a fault without a value', ['demo', '--fault', 'latency_ms=soon']],
    ['an invalid port', ['demo', '--port', '70000']],
    ['a port in use', ['demo', '--records', '10', '--port']],
    ['an app port in use', ['serve', '--port']],
  ])('rejects %s', async (_what, args) => {
    const taken = new URL(demo.dataUrl).port;
    const command = await inFolder(...args, ...(args.at(-1) === '--port' ? [taken] : []), '--json');
    // A server of the application belongs to a process.
    const ended = await (args[0] === 'serve' ? runCli(command) : runInProcess(command));
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.error()).toMatchObject({ code: 'invalid_input' });
  });

  const built = existsSync(join(import.meta.dirname, '../../../../out/renderer/index.html'));
  it.skipIf(!built)(
    'serve, once the window is built: one line of JSON with a one-time address, until it is stopped',
    async () => {
      const child = startCli(await inFolder('serve'));
      const { url } = z.object({ url: z.string() }).parse(await firstLine(child));
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=/);
      const redeemed = await fetch(url, { redirect: 'manual' });
      expect(redeemed.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/i);
      const ended = cliEnd(child);
      child.kill('SIGTERM');
      expect(await ended).toMatchObject({ code: 0 });
    },
  );

  it.skipIf(!built)('serve logs an uncaught exception and continues', async () => {
    const dataFolder = await folder();
    const script = `process.on('SIGUSR2', () => {
      Promise.reject(new Error('a promise nobody awaits'));
      throw new Error('a fault of ours');
    });`;
    const child = startCli(['serve', '--data-dir', dataFolder], {
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}`,
    });
    const { url } = z.object({ url: z.string() }).parse(await firstLine(child));
    let output = '';
    const firstOutput = new Promise<void>((resolve) =>
      child.stderr?.on('data', (part: Buffer) => {
        output += part.toString();
        if (output.includes('a fault of ours') && output.includes('a promise nobody awaits')) resolve();
      }),
    );
    child.kill('SIGUSR2');
    await firstOutput;
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(302);
    const log = await readFile(join(dataFolder, 'logs', 'wellbench.log'), 'utf8');
    expect(log).toMatch(/fault Error: a fault of ours\n +at /);
    const ended = cliEnd(child);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
  });
});

describe('empty values', () => {
  it.each([
    [['find', 'demo/wits', '--query', ''], 'query'],
    [['find', 'demo/wits', '--query', ' \n'], 'query'],
    [['find', 'demo/wits', '--sort', ''], 'sort'],
    [['find', 'demo/wits', '--fields', ''], 'fields'],
    [['find', 'demo/wits', '--limit', ''], 'limit'],
    [['find', 'demo/wits', '--query', '{ asset_id: {{wells}} }', '--asset-id', ','], 'asset-id'],
    [['find', 'demo/wits', '--query', '{ asset_id: {{wells}} }', '--asset-id', ''], 'asset-id'],
    [['find', 'demo/wits', '--query', '{ d: {{ask:x}} }', '--param', 'x='], 'param'],
    [['find', 'demo/wits', '--data-dir', ''], 'data-dir'],
    [['--connection', '', 'find', 'demo/wits'], 'connection'],
    [['count', 'demo/wits', '--query='], 'query'],
    [['aggregate', 'demo/wits', '--match', ''], 'match'],
    [['pipeline', 'demo/wits', '--stages', ''], 'stages'],
    [['export', 'demo/wits', '--out', 'x.csv', '--query', ''], 'query'],
    [['export', 'demo/wits', '--out', 'x.csv', '--stages', ''], 'stages'],
    [['export', 'demo/wits', '--out', ''], 'out'],
    [['upload', 'x.csv', 'demo/wits', '--mapping', ''], 'mapping'],
    [['upload', 'x.csv', 'demo/wits', '--rejects', ''], 'rejects'],
    [['wells', '--search', ''], 'search'],
    [['wells', '--ids', ''], 'ids'],
  ] as const)('are rejected with the option’s name, and nothing is sent: %j', async (args, field) => {
    const server = await servers.http(() => []);
    const env = {
      WELLBENCH_DATA_URL: server.url,
      WELLBENCH_PLATFORM_URL: server.url,
      WELLBENCH_API_KEY: 'k',
      WELLBENCH_DATA_DIR: await folder(),
    };
    const ended = await runInProcess([...args, '--json'], env);
    expect(ended.code).toBe(2);
    expect(ended.error()).toMatchObject({
      code: 'invalid_input',
      details: { issues: [{ place: { field } }] },
    });
    expect(server.seen).toEqual([]);
  });

  it.each([[['find', '']], [['datasets', ' ']]] as const)(
    'are rejected as arguments too: %j',
    async (args) => {
      const ended = await runInProcess([...args, '--json'], { WELLBENCH_DATA_DIR: await folder() });
      expect(ended.code).toBe(2);
      expect(ended.error()).toMatchObject({ code: 'invalid_input' });
    },
  );
});
