import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { fileWith, temporaryFolder } from '../main/features/upload/support/files.ts';
import { connectionEnv, runInProcess } from '../support/cli.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Advice {
  /** When it is given. */
  readonly state: string;
  /** The test that does what it says and counts the records of the service afterwards; null: it stores no records. */
  readonly tried: readonly [file: string, test: string] | null;
  readonly texts: readonly string[];
}

/** Whatever tells a person to repeat, continue, send, or convert: it must not store records twice, wrongly, or not at all. */
const table: readonly Advice[] = [
  {
    state: 'A job was stopped by Ctrl-C',
    tried: [
      'test/main/features/upload/repeated-upload.test.ts',
      'says how to resume it, which stores each row once; the same command names it again, and starts no other upload',
    ],
    texts: [
      'Resume job',
      'Resume all …',
      'Resume',
      'Resume …',
      'Resume sends the remaining rows without duplicates.',
      'Resume finishes this upload.',
      'Resume checks the dataset for the unknown rows again, then finishes this upload.',
    ],
  },
  {
    state: '`upload_repeated`: an earlier upload of the file stopped before its end',
    tried: [
      'test/main/features/upload/repeated-upload.test.ts',
      'says how to resume it, which stores each row once; the same command names it again, and starts no other upload',
    ],
    texts: [
      'Resume that job, or select Upload again (on the command line, add --again).',
      'Check which are right, then resume that job, or select Upload again (on the command line, add --again).',
      'Resume that upload',
      'Upload again, skip stored rows',
      'Upload again, duplicate stored rows',
      'Free up space, then resume the job or retry.',
    ],
  },
  {
    state: '`upload_repeated`: another upload of the file ended since the job stopped',
    tried: [
      'test/main/features/upload/repeated-upload.test.ts',
      'is refused once another one has sent the file on purpose, and a third one skips all rows',
    ],
    texts: ['Upload the file again, with existing rows skipped.'],
  },
  {
    state: '`upload_repeated`: another upload of the file runs',
    tried: [
      'test/main/features/upload/repeated-upload.test.ts',
      'don’t run at once: the second is refused, and when it is resumed, skips what the first inserted',
    ],
    texts: ['Wait until it ends, or resume it if it is paused.'],
  },
  {
    state: '`outcome_unknown`: a resume and a second command never send such rows',
    tried: [
      'test/main/features/upload/run.test.ts',
      'continues after the unknown rows when it is resumed, and never sends them again',
    ],
    texts: ['Wellbench doesn’t resend such rows.', 'Check the dataset before you send them again.'],
  },
  {
    state: '`cancelled` before a job began',
    tried: [
      'test/main/features/upload/upload.test.ts',
      'begins no job if it was canceled while its plan was made',
    ],
    texts: ['Start again when you are ready.'],
  },
  {
    state: '`file_changed`',
    tried: [
      'test/main/features/upload/run.test.ts',
      'sends nothing of a file that changes while it is opened, after its check or before',
    ],
    texts: ['Start again with the current file.'],
  },
  {
    state: 'The check is missing, unfinished, or of something else',
    tried: [
      'test/main/features/upload/upload.test.ts',
      'to its end only: one whose check was %s is refused, as is a check that was discarded or was no check',
    ],
    texts: [
      'Check the file again before you send it.',
      'Validate the file again.',
      'Validate again',
      'Validate again before you send the rows.',
    ],
  },
  {
    state: 'Rejected rows are fixed in place',
    tried: [
      'test/main/features/upload/fixes.test.ts',
      'are sent once by two windows at the same moment, and independently for two files',
    ],
    texts: [
      'Change the marked cells, then send the fixed rows.',
      'Wellbench sends each row once, in a separate upload.',
      'Send fixed rows',
    ],
  },
  {
    state: 'The file of rejected rows is corrected',
    tried: [
      'test/main/hosts/cli/upload.test.ts',
      'exits with 3 when rows were rejected, writes them to a file, and recognizes them once they are corrected',
    ],
    texts: ['Download the file of rejected rows above, correct it, and upload it.'],
  },
  {
    state:
      'A file of rejected rows has the name of those of no upload, or of several, which read their files differently',
    tried: [
      'test/main/core/mapping/parent.test.ts',
      'a copy of rejected rows is of no upload if several with other choices wrote a file with its name',
    ],
    texts: [
      'Upload the file under its original name from the folder where its upload wrote it, or set units, types, and formats for its columns.',
      'Add the file of rejected rows under its original name from the folder in which its upload wrote it, or set the units and formats of its columns.',
    ],
  },
  {
    state: 'All rows are inserted on purpose: the choice says that duplicates arise',
    tried: [
      'test/main/features/upload/repeated-upload.test.ts',
      'says how to resume it, which stores each row once; the same command names it again, and starts no other upload',
    ],
    texts: [
      'Insert all rows, or ask your administrator for read permission.',
      'To continue, select Insert all rows or get read permission for the dataset.',
      'Insert all rows',
      'Insert all records',
      'Skip: no duplicates, even if you upload a file again',
    ],
  },
  {
    state: 'Times without a known format',
    tried: ['test/voice/advice.test.ts', 'about the format of times stores the times that the file means'],
    texts: [
      'Set its "format", such as "dd.MM.yyyy HH:mm:ss", and its "zone".',
      'Set their "format", such as "yyyyMM" or "ddMMyy", or map the column to another field.',
      'Set "format": "…".',
      'If it is a United States time zone, set "format": "…".',
      'If it is a United States time zone, set "format": "…" in a mapping.',
      'Set "format": "excel_1900", or "excel_1904" for workbooks with the 1904 date system.',
      'To store UTC times, set "format" and "zone" in a mapping.',
      '"format", "zone", and "repeatedTimes" are only for times.',
      'If so, set "format": "excel_1900" in a mapping, or "excel_1904" for workbooks with the 1904 date system.',
      'Set their "format" in a mapping.',
    ],
  },
  {
    state: 'A mirror isn’t what was asked for: its folder is replaced, and no record of the service',
    tried: null,
    texts: ['First replace the mirror without --every, then update it with --every.'],
  },
  {
    state: 'A read, a connection, a tab, or the user’s own file: repeating it stores no records',
    tried: null,
    texts: [
      'Check your network connection and retry.',
      'Check the address and your network connection, then retry.',
      'The API key for the … has expired.… Request a new key and replace it in the connection.',
      'It has expired or was revoked.… Replace it in the connection.',
      'Your session with the … has expired.… Sign in again, and resume stopped jobs; waiting jobs then resume automatically.',
      'Enter the API key or sign in again.',
      'The … rejected the credentials.… Check the API key, or sign in again.',
      'Start one, or use the credentials for this session only.',
      'Unlock it and retry.',
      'Allow access when the system asks, then retry.',
      'Check whether it is waiting to be unlocked, then retry.',
      'Remove the entry or the connection, then enter the credentials again.',
      'Retry, or use the credentials for this session only.',
      'Correct it and retry.',
      'Choose another name, or remove it first (on the command line, --force replaces files, and folders that Wellbench wrote).',
      'The … refused the request….… Change the request and retry.',
      'Wait a moment, then retry.',
      'Wait until it ends, then retry.',
      'Send less at once.',
      'Retry later.',
      'Request less at once, retry, or set a longer timeout for a query (Run options; on the command line, --timeout).',
      'Retry, or resume the job, after … UTC.',
      'Turn off read-only in the connection to insert records.',
      'Install Wellbench for this system again, or export as CSV.',
      'Run the statement on fewer rows, or resume the job.',
      'Retry, and report the error if it persists.',
      'Enter another unit to replace it.',
      'Replace CA file…',
      'Replace client certificate…',
      'Replace key file…',
      'Paste the full key again, or enter another one.',
      'Sign in again.',
      'Waiting jobs then resume automatically.',
      'Run your queries again.',
      'Run again',
      'Upload again',
      'Start export',
      'The job can’t be resumed; discard it.',
      'Discard',
      'Discard …',
      '… To continue, select Resume.',
      '… To start again without the earlier records, select Resume.',
      'Start mirror',
      'Replace existing',
      'Replace it with a summary',
      'Export the column again as text.',
      'Convert … to …',
      'Get the file again from its source.',
      'Choose it again; its mapping is kept.',
      'Retry',
      'Retry now',
      'Set it with --asset-id, or replace {{wells}} with its asset ID.',
      'Set it with --company-id, or replace {{company}} with its ID.',
      'Install Node 24 and retry.',
    ],
  },
  {
    state: 'The names of commands, and sentences that only explain',
    tried: null,
    texts: [
      'Upload file',
      'Upload file…',
      'Upload',
      'To upload a file, select Upload above or drop the file on this window.',
      'Allow them in the address bar, then select this again.',
      'Open a connection to upload it.',
      'Enter a start.',
      'Records match by their distance from the start of each range.',
      'The start is exclusive, the end inclusive.',
      'The start and the end are exclusive.',
      'The end is before the start.',
      'Wellbench adds the Authorization header when it sends the request.',
      'Asks if closing the window would stop an export or upload, or lose an unsent file.',
      'Wellbench then validates all rows again.',
      'The mapping of that upload is restored.',
      'Upload “…”',
      'Upload all columns shown',
      'Send …',
      'Open the upload of …',
      'Wellbench matches them when the upload starts and rejects rows of unknown wells.',
      'Upload into …',
      'Upload …',
      'Upload of …',
      'To upload, switch to a connection that allows writing.',
      'Upload into',
      'Upload steps',
      'Send',
      'Review … below before you send.',
      'Correct the columns, or send the valid rows; rejected rows are saved to a file.',
      'Send …, skip …',
      'Send these files to the same dataset, one after another.',
      'Send all … files',
      'The upload continues and appears under Jobs.',
      'No rows left to send.',
      'No other rows are left to send.',
      'Upload another file',
      'Start, newest first',
      'Start',
      'Find wells, query their data, export results, and upload files.',
      'Column “…” is sent as company_id, which the service may refuse or replace.',
      'Column “…” has “…” at … … and, after other values, again at … ….',
    ],
  },
];

const verbs =
  /^(?:or |then |and )?(?:Add|Allow|Cancel|Change|Check|Choose|Complete|Convert|Correct|Delete|Discard|Download|Export|Fill|Fix|Free up|Insert|Install|Map|Omit|Open|Press|Read|Remove|Rename|Replace|Request|Resume|Retry|Run|Save|Select|Send|Set|Skip|Split|Start|Stop|Store|Swap|Treat|Unset|Update|Upload|Use|Validate|Wait|Write)\b/;
const risky =
  /\b(?:again|resume[sd]?|retry|resend|sends?|discard|insert|upload|convert|force|start|overwrite|replace)\b|"format"/i;

interface Node {
  readonly type: string;
  readonly [name: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** The texts of a program, with … in place of what is inserted. */
function textsIn(node: Node): string[] {
  if (node.type === 'ImportDeclaration') return [];
  const parts = Object.values(node).flat().filter(isNode);
  const cooked = (part: Node): string =>
    z.object({ value: z.object({ cooked: z.string() }) }).parse(part).value.cooked;
  const own =
    node.type === 'Literal' && typeof node['value'] === 'string'
      ? [node['value']]
      : node.type === 'TemplateLiteral'
        ? [
            parts
              .filter(({ type }) => type === 'TemplateElement')
              .map(cooked)
              .join('…'),
          ]
        : [];
  return [...own, ...parts.flatMap(textsIn)];
}

const advice = globSync(
  [
    'src/shared/errors/sentences.ts',
    'src/renderer/words/*.ts',
    'src/main/hosts/cli/**/*.ts',
    'src/main/core/mapping/**/*.ts',
    'src/main/features/upload/report.ts',
    'src/main/core/tables/reading/*.ts',
  ],
  { cwd: root },
)
  .flatMap((file) =>
    textsIn(parseAst(readFileSync(`${root}/${file}`, 'utf8'), { lang: 'ts' }) as unknown as Node),
  )
  .flatMap((text) => text.split(/(?<=[.?!]) /).map((sentence) => sentence.trim()))
  .filter((sentence) => risky.test(sentence) && (/[.?!]$/.test(sentence) || verbs.test(sentence)));

describe('advice', () => {
  it('is in the table, and the table has no other', () => {
    expect([...new Set(advice)].toSorted()).toEqual(table.flatMap(({ texts }) => texts).toSorted());
  });

  it.each(table.flatMap(({ state, tried }) => (tried ? [[state, ...tried] as const] : [])))(
    'for “%s” is tried by a test',
    (_state, file, test) => {
      expect(readFileSync(`${root}/${file}`, 'utf8')).toContain(test);
    },
  );
});

describe('advice', () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await startDemo({ records: 10, wells: 1 });
  });
  afterAll(() => demo.close());

  it.each([
    ['202503', Date.UTC(2025, 2, 1)],
    ['140325', Date.UTC(2025, 2, 14)],
    ['2025-03-14 06:00:00 CDT', Date.UTC(2025, 2, 14, 11)],
    ['45730', Date.UTC(2025, 2, 14)],
    ['1741910400', Date.UTC(2025, 2, 14)],
    ['1741910400000000', Date.UTC(2025, 2, 14)],
  ])('about the format of times stores the times that the file means: %s', async (cell, meant) => {
    const data = await temporaryFolder();
    const csv = `timestamp,asset_id,version,rop\n${cell},5001,1,1\n`;
    const file = await fileWith(csv, 'rig.csv');
    const run = async (format?: string) => {
      const mapping = {
        columns: { timestamp: { to: 'timestamp', zone: 'UTC', ...(format && { format }) } },
        rest: 'data',
      };
      const path = await fileWith(JSON.stringify(mapping), 'mapping.json');
      const args = ['upload', 'demo/uploads.time', file, '--mapping', path, '--data-dir', data, '--json'];
      return runInProcess(args, connectionEnv(demo));
    };
    const refused = await run();
    expect(refused.code).toBe(2);
    // Each format that it names stores what is meant, or is refused or rejected: never another time.
    const { message } = z.object({ message: z.string() }).parse(refused.error());
    const formats = [...message.matchAll(/"([^"]+)"/g)].map(([, format = '']) => format);
    expect(formats).toContain('format');
    const stored = async () => {
      const query = JSON.stringify({ asset_id: 5001, timestamp: { $gte: 0 } });
      const { lines } = await runInProcess(
        ['find', 'demo/uploads.time', '--query', query, '--data-dir', data, '--limit', '100'],
        connectionEnv(demo),
      );
      return lines.map((line) => z.object({ timestamp: z.number() }).parse(JSON.parse(line)).timestamp);
    };
    const before = await stored();
    for (const format of formats.filter((name) => name !== 'format' && name !== 'excel_1904'))
      await run(format);
    const added = (await stored()).filter((time) => !before.includes(time));
    expect(added).toEqual(before.includes(meant) ? [] : [meant]);
  });
});
