import { stringifyJson } from '../../../shared/json.ts';
import { fieldsToRequest } from '../paging/request.ts';
import type { WindowRule } from '../paging/rule.ts';
import type { FolderTarget } from './folder/folder-target.ts';
import { requestOf } from './manifest.ts';
import type { ExportPlan } from './plan.ts';
import { recordTimes } from '../records/zone.ts';
import { layoutIn } from '../records/unit-changes.ts';
import { withNameFields } from '../records/well-names.ts';
import type { About } from '../records/about.ts';
import type { WriterSpec } from './spec.ts';

interface SpecPlan {
  readonly plan: ExportPlan;
  /** The folder of the job. */
  readonly folder: string;
  /** The folder to write instead of a file. */
  readonly folderTarget?: FolderTarget | undefined;
}

interface SpecOptions {
  readonly rule: WindowRule | null;
  readonly started: string | null;
}

/**
 * What the thread needs to write the records of a plan.
 * @throws SyntaxError if the query of the plan isn’t JSON
 */
export function createSpec(
  { plan, folder, folderTarget }: SpecPlan,
  partial: string,
  { rule, started }: SpecOptions,
): WriterSpec {
  const { format, csv, nullValues, unitChanges, timeZone, wellNames, fileName } = plan;
  const omittedFields = fieldsToRequest(plan.fields, rule?.field ?? null).filter(
    (field) => !plan.fields.includes(field),
  );
  const written = {
    format,
    csv,
    layout: layoutIn(plan.layout, unitChanges),
    nullValues,
    unitChanges,
    fields: fieldsOf(plan),
    omittedFields,
    timeColumns: recordTimes,
    timeZone,
    wellNames,
  };
  return {
    ...written,
    folder,
    places: folderTarget && { ...folderTarget, columns: folderTarget.base?.columns ?? [] },
    partial,
    name: fileName,
    about: { ...aboutOf(plan), started: started ?? '' },
    rule,
  };
}

/** The fields of the file, in order; empty: all. */
export const fieldsOf = ({ fields, wellNames }: ExportPlan): readonly string[] =>
  wellNames ? withNameFields(fields) : fields;

/** What the file says about itself, except its start. */
export const aboutOf = (plan: ExportPlan): Omit<About, 'started'> => ({
  version: plan.version,
  dataUrl: plan.connection.dataUrl,
  dataset: `${plan.address.provider}/${plan.address.dataset}`,
  // The same for every run of a folder, whose updates have a limit of their own.
  request: plan.folder?.request ?? stringifyJson(requestOf(plan)),
  timeZone: plan.timeZone ?? 'UTC',
  columns: plan.columns,
  well: plan.well,
});
