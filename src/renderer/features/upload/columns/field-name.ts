import { words } from '../../../words/words.ts';
import { isAssetPath } from './mapping-choices.ts';

/** What a field of a record is called: the well by what it is, others by their path. */
export const fieldName = (path: string): string => (isAssetPath(path) ? words.upload.columns.well : path);
