import { pathId } from '../../../shared/column-paths.ts';
import type { CalculatedState } from '../results/calculated-columns.ts';
import type { ExportQuery } from './export.ts';

const idsOf = ({ columns }: CalculatedState): readonly string[] => columns.map(({ name }) => pathId([name]));

/** The fields of a file with all calculated columns, or with none. */
export function fieldsWithCalculated(
  fields: readonly string[],
  calculated: CalculatedState,
  isCalculating: boolean,
): readonly string[] {
  const ids = idsOf(calculated);
  return [...fields.filter((field) => !ids.includes(field)), ...(isCalculating ? ids : [])];
}

/** A query whose fields are those that records have: calculated columns are not requested. */
export function withoutCalculated(question: ExportQuery, calculated: CalculatedState): ExportQuery {
  if (question.kind === 'whole' || question.fields.length === 0) return question;
  const fields = fieldsWithCalculated(question.fields, calculated, false);
  // No fields would be all of them.
  return { ...question, fields: fields.length > 0 ? fields : ['_id'] };
}
