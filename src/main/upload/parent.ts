import { basename } from 'node:path';
import type { DatasetAddress } from '../../shared/datasets.ts';
import type { JobParent } from '../../shared/jobs.ts';
import type { JobStore, StoredJob } from '../jobs/store.ts';
import { rejectColumns } from './mapping/targets.ts';
import type { Layout } from './reading/layout.ts';

const rejectsOf = ({ summary }: StoredJob): string[] =>
  summary.artifacts.filter(({ kind }) => kind === 'rejects').map(({ path }) => path);

/**
 * The job whose rejected rows a file holds: the newest for this dataset whose rejects file it is, or had its name, for a
 * browser hands over a copy. Undefined: the file is no rejects file, or the job is not known any more.
 */
export async function parentOf(
  file: { readonly path: string; readonly name: string },
  { columns }: Pick<Layout, 'columns'>,
  { provider, dataset }: DatasetAddress,
  store: Pick<JobStore, 'list'>,
): Promise<JobParent | undefined> {
  if (!rejectColumns.every((name) => columns.some((column) => column.name === name))) return undefined;
  // An upload does not fail because the jobs before it can't be read.
  const jobs = (await store.list().catch(() => [])).filter(
    ({ summary: { address } }) => address.provider === provider && address.dataset === dataset,
  );
  const found =
    jobs.findLast((job) => rejectsOf(job).includes(file.path)) ??
    jobs.findLast((job) => rejectsOf(job).some((path) => basename(path) === file.name));
  return found && { job: found.id, file: found.summary.file };
}
