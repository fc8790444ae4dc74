import type { DatasetAddress } from '../../../../shared/datasets/datasets.ts';
import { invalidInput } from '../../../../shared/errors/errors.ts';
import { encodeText } from '../http/exchange.ts';

/**
 * `/api/v1/data/{provider}/{dataset}/` and the rest of a path (specification, section 4.1).
 * @throws AppError `invalid_input` when a part isn't a valid name
 */
export function recordsPath({ provider, dataset }: DatasetAddress, rest = ''): string {
  return `/api/v1/data/${segment(provider, 'provider')}/${segment(dataset, 'dataset')}/${rest}`;
}

/**
 * The path of a dataset definition.
 * @throws AppError `invalid_input` when a part isn't a valid name
 */
export function definitionPath({ provider, dataset }: DatasetAddress): string {
  return `/api/v1/dataset/${segment(provider, 'provider')}/${segment(dataset, 'dataset')}/`;
}

/** The dataset in words, for errors: "the dataset demo/wits". */
export function describeDataset({ provider, dataset }: DatasetAddress): string {
  return `the dataset ${provider}/${dataset}`;
}

// A segment of dots would change the path, encoded or not.
function segment(text: string, field: string): string {
  if (text === '' || /^\.{1,2}$/.test(text)) throw invalidInput(`“${text}” isn't a valid name.`, { field });
  return encodeText(text, field);
}
