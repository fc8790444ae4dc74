import type { MatchedField, UploadMatch } from '../../../../shared/upload/preview.ts';

/** Whether something fills a field. */
export const isFilled = ({ columns, constant, assumed }: MatchedField): boolean =>
  columns.length > 0 || constant || assumed !== null;

/** The required fields that nothing fills. */
export const missingFields = ({ fields }: Pick<UploadMatch, 'fields'>): MatchedField[] =>
  fields.filter((field) => field.required && !isFilled(field));
