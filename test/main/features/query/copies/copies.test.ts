import { execFile, spawnSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../../src/demo/index.ts';
import { createQuery } from '../../../../../src/main/features/query/query.ts';
import { connection } from '../../../../../src/shared/connections/connections.ts';
import { assetId } from '../../../../../src/shared/wells/wells.ts';
import { parseJson } from '../../../../../src/shared/json.ts';
import type { ReadRequest, CopyLanguage } from '../../../../../src/shared/query/query.ts';
import { cliEntry, connectionEnv } from '../../../../support/cli.ts';
import { useFolders } from '../../../../support/folders.ts';
import { useServices } from '../../../../support/services.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 1000, wells: 8 });
});
afterAll(() => demo.close());
const folder = useFolders();
const open = useServices();

const facts = (change: object = {}) =>
  connection.parse({
    id: 'c',
    name: 'North Ridge',
    color: 'grey',
    dataUrl: demo.dataUrl,
    platformUrl: demo.platformUrl,
    method: 'api_key',
    secret: 'session',
    readOnly: false,
    sample: false,
    ...change,
  });
const servicesOf = (change: object = {}) =>
  createQuery({
    services: () =>
      open(demo.dataUrl, {
        platformUrl: demo.platformUrl,
        credential: { method: 'api_key', apiKey: demo.apiKeys.write },
      }),
    connection: () => facts(change),
  });

const target = { connection: 'c', provider: 'demo', dataset: 'wits' };
// Quotes of each kind, a letter beyond ASCII, a dollar sign, and a backslash: characters that languages must escape.
const odd = `{ 'data.state': { $nin: ["it's \\"$HOME\\" \\\\ é \`x\`"] }, asset_id: { $gt: 0 } }`;
const questions: readonly (readonly [string, ReadRequest])[] = [
  [
    'find',
    {
      kind: 'find',
      request: {
        ...target,
        query: odd,
        sort: '{ timestamp: 1, _id: 1 }',
        limit: 3,
        skip: 2,
        fields: ['timestamp', 'data.rop'],
        includeCount: false,
      },
    },
  ],
  [
    'find by body',
    {
      kind: 'find',
      request: {
        ...target,
        query: `{ asset_id: { $nin: [${'987654321, '.repeat(900)}] } }`,
        sort: '{ timestamp: 1, _id: 1 }',
        limit: 2,
        skip: 0,
        fields: [],
        includeCount: false,
      },
    },
  ],
  [
    'aggregate',
    {
      kind: 'aggregate',
      request: {
        ...target,
        match: odd,
        sort: '{ timestamp: 1 }',
        limit: 500,
        skip: 0,
        group: "{ _id: '$asset_id', deepest: { $max: '$data.hole_depth' } }",
        project: '{ deepest: 1 }',
      },
    },
  ],
  [
    'pipeline',
    {
      kind: 'pipeline',
      request: {
        ...target,
        stages: `[{ $match: ${odd} }, { $sort: { timestamp: 1, _id: 1 } }, { $limit: 2 }]`,
      },
    },
  ],
];

const programs = new Map<string, boolean>();
function has(program: string): boolean {
  const isThere = programs.get(program) ?? spawnSync(program, ['--version']).status === 0;
  programs.set(program, isThere);
  return isThere;
}
const run = promisify(execFile);
const pythonModules = join(import.meta.dirname, '../../../../../resources/python');

/** Runs a copy as a user would, with only the key in a variable, and returns the printed records. */
async function outcome(language: CopyLanguage, copy: string): Promise<unknown> {
  const place = await folder();
  const key = { WELLBENCH_API_KEY: connectionEnv(demo)['WELLBENCH_API_KEY'] };
  const own = Object.entries(process.env).filter(([name]) => !/^WELLBENCH_|_PROXY$/i.test(name));
  const options = {
    env: { ...Object.fromEntries(own), ...key, WELLBENCH_DATA_DIR: place, WELLBENCH_KEYCHAIN: 'off' },
    maxBuffer: 2 ** 26,
  };
  if (language === 'curl') return parseJson((await run('sh', ['-c', copy], options)).stdout);
  if (language === 'powershell')
    return parseJson((await run('pwsh', ['-NoProfile', '-Command', copy], options)).stdout);
  if (language === 'python') return parseJson((await run('python3', ['-c', copy], options)).stdout);
  if (language === 'module') {
    const env = {
      ...options.env,
      PYTHONPATH: pythonModules,
      WELLBENCH_COMMAND: `'${process.execPath}' '${cliEntry}'`,
    };
    return parseJson((await run('python3', ['-c', copy], { ...options, env })).stdout);
  }
  if (language === 'typescript') {
    const file = join(place, 'copy.mts');
    await writeFile(file, copy);
    return parseJson((await run(process.execPath, [file], options)).stdout);
  }
  const named = `wellbench() { '${process.execPath}' '${cliEntry}' "$@"; }\n${copy}`;
  const { stdout } = await run('sh', ['-c', named], options);
  return stdout
    .trim()
    .split('\n')
    .map((line) => parseJson(line));
}

const needs: Record<CopyLanguage, string | null> = {
  curl: 'curl',
  powershell: 'pwsh',
  python: 'python3',
  module: 'python3',
  typescript: null,
  command: null,
};

describe.each(questions)('a copied request: %s', (_name, input) => {
  it.for(['curl', 'powershell', 'python', 'module', 'typescript', 'command'] as const)(
    'returns the same records as %s',
    async (language, { skip }) => {
      const program = needs[language];
      if (program !== null && !has(program)) return skip(`there is no ${program} on this machine`);
      const { copies } = await servicesOf().describe(input, {});
      expect(copies[language]).not.toContain(demo.apiKeys.write);
      const query = servicesOf();
      const page =
        input.kind === 'find'
          ? await query.find(input.request, {})
          : input.kind === 'aggregate'
            ? await query.aggregate(input.request, {})
            : input.kind === 'pipeline'
              ? await query.pipeline(input.request, {})
              : { records: Buffer.from('[]'), count: 0 };
      expect(page.count).toBeGreaterThan(0);
      expect(await outcome(language, copies[language])).toEqual(
        parseJson(Buffer.from(page.records).toString()),
      );
    },
  );
});

describe('a copied request', () => {
  const count = { kind: 'count', request: { ...target, query: '{a: 1}', timeoutMs: 90_000 } } as const;

  it('is the command of the saved connection, if its credentials are stored', async () => {
    const { copies } = await servicesOf({ saved: true, secret: 'keychain' }).describe(count, {});
    expect(copies.command).toBe(
      `wellbench --connection 'North Ridge' \\\n  count demo/wits \\\n  --query '{"a":1}' \\\n  --timeout 90\n`,
    );
  });

  it('keeps its parameters for the command line, and contains their values in other formats', async () => {
    const now = Date.UTC(2026, 10, 24, 8);
    const typed = {
      texts: { query: '{ asset_id: {{wells}}, timestamp: { $gte: {{now-24h}} }, a: {{ask:depth}} }' },
      wells: [assetId.parse(5003), assetId.parse(5004)],
      company: null,
      answers: { depth: '12\n00' },
      now,
      zone: 'UTC',
    };
    const { copies } = await servicesOf().describe({ ...count, typed }, {});
    expect(copies.command).toContain(`--query '${typed.texts.query}'`);
    expect(copies.command).toContain('--asset-id 5003,5004');
    expect(copies.command).toContain("--param 'depth=12\n00'");
    const comment =
      'Values when copied: {{wells}} = 5003, 5004; {{now-24h}} = 2026-11-23T08:00:00.000Z; {{ask:depth}} = 12 00';
    for (const language of ['curl', 'powershell', 'python'] as const)
      expect(copies[language].split('\n')).toContain(`# ${comment}`);
    expect(copies.typescript.split('\n')).toContain(`// ${comment}`);
  });

  it('keeps the time zone of its days for the command line', async () => {
    const query =
      '{ timestamp: { $gte: {{today-7d}}, $lt: {{ now - 1d }} }, at: {{now-24h}}, b: {{today@UTC}} }';
    const typed = {
      texts: { query },
      wells: [],
      company: null,
      answers: {},
      now: 0,
      zone: 'America/Chicago',
    };
    const { copies } = await servicesOf().describe({ ...count, typed }, {});
    expect(copies.command).toContain(
      '$gte: {{today-7d@America/Chicago}}, $lt: {{now - 1d@America/Chicago}} }, at: {{now-24h}}, b: {{today@UTC}} }',
    );
  });

  it('with parameters returns the same from the command line', async () => {
    const typed = {
      texts: {
        query: '{ asset_id: {{wells}}, timestamp: { $lt: {{now}} } }',
        sort: '{ timestamp: 1, _id: 1 }',
      },
      wells: [assetId.parse(5005)],
      company: null,
      answers: {},
      now: Date.now(),
      zone: 'UTC',
    };
    const request = {
      ...target,
      query: '{ asset_id: 5005 }',
      sort: typed.texts.sort,
      limit: 2,
      skip: 0,
      fields: [],
    };
    const input = { kind: 'find', request: { ...request, includeCount: false } } as const;
    const { copies } = await servicesOf().describe({ ...input, typed }, {});
    const { records } = await servicesOf().find(input.request, {});
    expect(await outcome('command', copies.command)).toEqual(parseJson(Buffer.from(records).toString()));
  });

  it('of a session explains how to get a token', async () => {
    const { copies } = await servicesOf({ method: 'login', email: 'a@b.c' }).describe(count, {});
    expect(copies.curl).toContain('authorization: Bearer $WELLBENCH_TOKEN');
    expect(copies.curl).toContain('--max-time 90');
    expect(copies.python).toContain(`${demo.platformUrl}/v1/user_token`);
  });
});

it('a frame of the Python module leaves no file behind, and warns of what the export did', async ({
  skip,
}) => {
  if (!has('python3')) return skip('there is no python3 on this machine');
  const modules = await folder();
  const temporary = await folder();
  await writeFile(join(modules, 'polars.py'), 'def read_parquet(path): return open(path).read()');
  const command = `import json, sys
open(sys.argv[sys.argv.index("--out") + 1], "w").write("records")
print(json.dumps({"file": "f", "warnings": ["2 records are missing."]}))
sys.exit(3)`;
  await writeFile(join(modules, 'command.py'), command);
  const script = 'import wellbench; print(wellbench.frame("demo/wits"))';
  const { stdout, stderr } = await run('python3', ['-c', script], {
    env: {
      ...process.env,
      PYTHONPATH: [modules, pythonModules].join(delimiter),
      WELLBENCH_COMMAND: `python3 '${join(modules, 'command.py')}'`,
      TMPDIR: temporary,
    },
  });
  expect(stdout.trim()).toBe('records');
  expect(stderr).toContain('UserWarning: 2 records are missing.');
  expect(await readdir(temporary)).toEqual([]);
});
