import { basename } from 'node:path';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { JobParent } from '../../../shared/jobs/jobs.ts';
import { isRejectsHeader } from '../../../shared/upload/rejects-header.ts';
import type { ColumnMapping, Mapping } from '../../../shared/upload/upload.ts';
import type { UploadOrigin } from '../../../shared/upload/result.ts';
import type { JobStore, StoredJob } from '../jobs/jobs.ts';
import type { Layout } from '../tables/tables.ts';
import { uploadPlan, type UploadPlan, type ColumnRule } from './plan.ts';
import { assetPaths } from '../records/targets.ts';

const rejectsOf = ({ summary }: StoredJob): string[] =>
  summary.artifacts.filter(({ kind }) => kind === 'rejects').map(({ path }) => path);

/**
 * The job whose rejects file a file is: the newest with this rejects file, or with its name, because a browser passes a
 * copy. Undefined: the file isn't a rejects file, or the job no longer exists.
 */
async function jobOf(
  file: { readonly path: string; readonly name: string },
  { columns }: Pick<Layout, 'columns'>,
  store: Pick<JobStore, 'related'>,
  isMeant: (job: StoredJob) => boolean,
): Promise<StoredJob | undefined> {
  if (!isRejectsHeader(columns.map(({ name }) => name))) return undefined;
  // An upload must not fail because earlier jobs can't be read.
  const jobs = (await store.related('rejects', file.name, basename(file.path)).catch(() => [])).filter(
    isMeant,
  );
  return (
    jobs.findLast((job) => rejectsOf(job).includes(file.path)) ??
    jobs.findLast((job) => rejectsOf(job).some((path) => basename(path) === file.name))
  );
}

/** The job of this dataset whose rejects file a file is; undefined: none. */
export async function parentOf(
  file: { readonly path: string; readonly name: string },
  layout: Pick<Layout, 'columns'>,
  { provider, dataset }: DatasetAddress,
  store: Pick<JobStore, 'related'>,
): Promise<JobParent | undefined> {
  const job = await jobOf(
    file,
    layout,
    store,
    ({ summary: { address } }) => address.provider === provider && address.dataset === dataset,
  );
  return job && { job: job.id, file: job.summary.file };
}

/** An entry of a mapping with what was decided for its column; null: the mapping says all of it. */
function decidedColumn(
  { path, conversion }: ColumnRule,
  given: ColumnMapping | undefined,
): ColumnMapping | null {
  const to = path.join('.');
  if (conversion.kind === 'time') return { format: conversion.format, zone: conversion.zone, to, ...given };
  const isOpen = path.length > 1 && !assetPaths.includes(to) && (given?.type ?? 'auto') === 'auto';
  if (isOpen && (conversion.kind === 'number' || conversion.kind === 'boolean'))
    return { to, ...given, type: conversion.kind };
  return null;
}

/**
 * The mapping of an upload with what all rows of its file decided: the rejected ones alone can be ambiguous, such as
 * 03/04/2026, or have no number at all.
 */
function decidedMapping({ mapping, rules }: Pick<UploadPlan, 'mapping' | 'rules'>): Mapping {
  const columns = { ...mapping.columns };
  for (const rule of rules.columns) {
    const decided = decidedColumn(rule, columns[rule.column]);
    if (decided) columns[rule.column] = decided;
  }
  return { ...mapping, columns };
}

/** The upload whose rejects file a file is, with its options; null: none. */
export async function originOf(
  file: { readonly path: string; readonly name: string },
  layout: Pick<Layout, 'columns'>,
  store: Pick<JobStore, 'related' | 'plan'>,
): Promise<UploadOrigin | null> {
  const job = await jobOf(file, layout, store, ({ kind }) => kind === 'upload');
  if (!job) return null;
  const plan = uploadPlan.safeParse(await store.plan(job.id).catch(() => null)).data;
  return {
    ...job.summary.address,
    job: job.id,
    file: job.summary.file,
    mapping: plan ? decidedMapping(plan) : null,
    existing: plan?.existing ?? 'skip',
  };
}
