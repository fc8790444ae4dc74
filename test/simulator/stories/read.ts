import { rowsOfCsv } from '../../support/csv-rows.ts';
import { exportRequest } from '../../../src/shared/export/export.ts';
import { qualityRequest } from '../../../src/shared/quality/quality.ts';
import { targetAt } from '../../../src/main/core/files/files.ts';
import type { JsonObject } from '../../../src/shared/json.ts';
import type { Application } from '../application.ts';
import { homeFolder, openStage, runLives, type Ending } from '../history.ts';
import type { ReadStory } from '../plan.ts';
import type { Link, Stored } from '../world/link.ts';

// Records are read into a file, or checked, while others may change them. The oracle compares the file, which it reads with
// a few lines of its own, with what the service had.

const address = 'demo/uploads.time';
const request = { connection: 'simulated', provider: 'demo', dataset: 'uploads.time' };
const start = Date.UTC(2021, 0, 1);
const usersFile = Buffer.from('a file of the user');

function recordsOf({ records, sameTime }: ReadStory): JsonObject[] {
  return Array.from({ length: records }, (_, n) => ({
    asset_id: 5001 + (n % 3),
    timestamp: start + Math.floor(n / sameTime) * 1000,
    version: 1,
    data: { n, text: n % 7 === 0 ? `a "text", ${n}` : null },
  }));
}

/** Runs the history. @returns what the oracle objects to; empty: nothing */
export async function runRead(plan: ReadStory): Promise<string[]> {
  const stage = openStage(plan);
  const { link, computer, world } = stage;
  link.put(address, recordsOf(plan));
  link.changes = plan.changes;
  link.pace = plan.pace;
  const path = `${homeFolder}/records.${plan.format}`;
  if (plan.hasFile) computer.disk.place(path, usersFile);
  const sort = plan.isWindowed ? '' : '{"data.n": 1}';
  const begin = async (app: Application) =>
    plan.kind === 'quality'
      ? app.quality.start(
          qualityRequest.parse({ ...request, query: '{}', concurrency: plan.concurrency }),
          {},
        )
      : app.export.start(
          exportRequest.parse({
            ...request,
            format: plan.format,
            sort,
            concurrency: plan.concurrency,
            target: app.files.grantTarget(targetAt(path)).token,
          }),
          {},
        );
  const ending = await world.run(runLives({ plan, stage, start: begin }));
  const content = computer.disk.contentOf(path);
  const objections =
    plan.hasFile && !content?.equals(usersFile) ? ['a file of the user was overwritten'] : [];
  return [...stage.losses, ...objections, ...judge(plan, ending, content, link)];
}

interface ReadRecord {
  readonly id: string;
  readonly time: number;
  readonly value: number;
}

function readFile(content: Buffer, format: ReadStory['format']): ReadRecord[] {
  const text = content.toString();
  if (format === 'ndjson')
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const record: { _id: string; timestamp: number; data: { n: number } } = JSON.parse(line);
        return { id: record._id, time: record.timestamp, value: record.data.n };
      });
  const [header = [], ...rows] = rowsOfCsv(text.replace(/^\ufeff/, ''));
  const column = (name: string): number => header.indexOf(name);
  const [id, time, value] = [column('_id'), column('timestamp'), column('data.n')];
  return rows.map((row) => ({ id: row[id] ?? '', time: Number(row[time]), value: Number(row[value]) }));
}

const valueOf = ({ record }: Stored): unknown => {
  const data = record['data'];
  return typeof data === 'object' && data !== null && 'n' in data ? data['n'] : null;
};

function judge(plan: ReadStory, { job, refused }: Ending, content: Buffer | null, link: Link): string[] {
  const all = link.stored(address);
  if (plan.hasFile && plan.kind === 'export')
    return job ? ['an export over a file of the user was started'] : [];
  if (!job) return [`there is no job at the end: ${refused ?? 'no reason'}`];
  const { state, error } = job;
  if (state !== 'done')
    return [
      `the job doesn’t end although all goes well: ${state} ${error?.code ?? ''} ${error?.message ?? ''}`,
    ];
  const isChanged = all.some(
    ({ by, at, removedAt }) => removedAt !== null || (by === 'somebody else' && at > 0),
  );
  // Records that come instead of those that an answer lacked hide that some are missing.
  const isHidden = link.hasLacked && isChanged;
  const always = all.filter(({ at, removedAt }) => at === 0 && removedAt === null);
  if (job.kind === 'quality') {
    const rows = job.result && 'rows' in job.result ? job.result.rows : -1;
    return (rows < always.length && !isHidden) || rows > all.length
      ? [`${rows} records were checked, and there are ${always.length}`]
      : [];
  }
  if (job.kind !== 'export' || !job.result || !content) return ['an export that is done has no file'];
  const objections: string[] = [];
  const records = readFile(content, plan.format);
  const known = new Map(all.map((stored) => [stored.id, stored]));
  const seen = new Set<string>();
  for (const { id, time, value } of records) {
    const stored = known.get(id);
    if (!stored) objections.push(`a record that never was: ${id}`);
    else if (stored.record['timestamp'] !== time || valueOf(stored) !== value)
      objections.push(`a record that was another: ${id}`);
    if (seen.has(id)) objections.push(`a record twice: ${id}`);
    seen.add(id);
  }
  const { rows, warnings } = job.result;
  if (rows !== records.length)
    objections.push(`the result says ${rows} rows, and the file has ${records.length}`);
  const missing = always.filter(({ id }) => !seen.has(id));
  if (missing.length > 0 && !isHidden && (warnings.length === 0 || (plan.isWindowed && !link.hasLacked)))
    objections.push(`${missing.length} of ${always.length} records are missing without a word`);
  if (!isChanged && !link.hasLacked && missing.length > 0)
    objections.push(`${missing.length} of ${always.length} records are missing, and nobody changed any`);
  if (!isChanged && plan.isWindowed && records.some(({ time }, at) => time < (records[at - 1]?.time ?? 0)))
    objections.push('the records are not in their order');
  return objections;
}
