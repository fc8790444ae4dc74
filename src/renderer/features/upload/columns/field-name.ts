import { uploadWords } from '../../../words/upload.ts';
import { isAssetPath } from './mapping-choices.ts';

/** What a field of a record is called: the well by what it is, others by their path. */
export const fieldName = (path: string): string => (isAssetPath(path) ? uploadWords.columns.well : path);
