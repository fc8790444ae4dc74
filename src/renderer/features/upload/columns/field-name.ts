import { uploadWords } from '../../../words/upload.ts';
import { isAssetPath } from './mapping-choices.ts';

/** The name of a field of a record for display: “Well” for the well, the path of others. */
export const fieldName = (path: string): string => (isAssetPath(path) ? uploadWords.columns.well : path);
