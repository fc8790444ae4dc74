import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { connectionEnv, runCli } from '../support/cli.ts';
import { writeCases, writeMirrors, type Workplace } from './cases.ts';

// Other programs read what Wellbench wrote, and every value is compared with what the service has.

const { values: options } = parseArgs({
  options: {
    /** A Python with the readers. */
    python: { type: 'string', default: 'python3' },
    /** Comma-separated. */
    readers: {
      type: 'string',
      default: 'pyarrow,pandas,polars,duckdb,openpyxl,lasio,libreoffice,spark,deltalake,spark-delta,trino',
    },
    records: { type: 'string', default: '100000' },
    /** Only a mirror of about this many records and its updates; absent: all formats and a mirror of the usual records. */
    'mirror-records': { type: 'string' },
    /** A file for the outcomes as JSON. */
    report: { type: 'string' },
  },
});

const outcomeSchema = z.object({
  case: z.string(),
  form: z.string(),
  problems: z.array(z.string()).default([]),
  compared: z.int().default(0),
  seconds: z.number().default(0),
  /** Why the program didn't read it. */
  skipped: z.string().optional(),
});
type Outcome = z.infer<typeof outcomeSchema>;

async function runPython(
  script: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<string[]> {
  const child = spawn(options.python, [join(import.meta.dirname, script), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  const closed = once(child, 'close');
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) lines.push(line);
  await closed;
  if (child.exitCode !== 0) throw new Error(errors.trim().split('\n').at(-1));
  return lines;
}

/** Reads the cases with a program, in a process of its own. */
async function readWith(
  reader: string,
  casesFile: string,
): Promise<{ version: string; outcomes: Outcome[] }> {
  const [first = '{}', ...lines] = await runPython('compare.py', [reader, casesFile]);
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(first));
  return { version, outcomes: lines.map((line) => outcomeSchema.parse(JSON.parse(line))) };
}

function workplaceIn(folder: string, demo: Demo): Workplace {
  let count = 0;
  return {
    demo,
    folder,
    async wellbench(args) {
      const all = [...args, '--json', '--data-dir', join(folder, 'data')];
      const { code, stderr } = await runCli(all, connectionEnv(demo));
      if (code !== 0) throw new Error(`wellbench ${args.join(' ')} ended with ${code}: ${stderr}`);
      process.stderr.write(`wellbench ${args.join(' ')}\n`);
    },
    async truth(dataset, query, form) {
      const path = join(folder, `truth ${(count += 1)}.${form}`);
      const environment = { API_KEY: demo.apiKeys.read };
      await runPython('truth.py', [demo.dataUrl, dataset, JSON.stringify(query), path], environment);
      return path;
    },
  };
}

const sentence = ({ skipped, problems, compared, seconds }: Outcome): string => {
  if (skipped !== undefined) return `not compared: ${skipped}`;
  return problems.length === 0 ? `${compared} values equal, ${seconds} s` : problems.join('\n    ');
};

const folder = await mkdtemp(join(tmpdir(), 'wellbench-interop-'));
const mirrorRecords = options['mirror-records'];
// The mirrored dataset has 70 % of the records of the demo.
const records = mirrorRecords === undefined ? Number(options.records) : Number(mirrorRecords) / 0.7;
const demo = await startDemo({ records: Math.ceil(records), wells: 6 });
try {
  const casesFile = join(folder, 'cases.json');
  const workplace = workplaceIn(folder, demo);
  const cases = await (mirrorRecords === undefined
    ? writeCases(workplace)
    : writeMirrors(workplace, 'parquet'));
  await writeFile(casesFile, JSON.stringify(cases));
  const reports: object[] = [];
  for (const reader of options.readers.split(',')) {
    const report = await readWith(reader, casesFile);
    reports.push({ reader, ...report });
    for (const outcome of report.outcomes) {
      process.stdout.write(
        `${reader} ${report.version} · ${outcome.case}, ${outcome.form} · ${sentence(outcome)}\n`,
      );
      if (outcome.problems.length > 0) process.exitCode = 1;
    }
  }
  if (options.report) await writeFile(options.report, JSON.stringify(reports, null, 2));
} finally {
  await demo.close();
  await rm(folder, { recursive: true, force: true });
}
