import type { DatasetAddress } from '../../shared/datasets/datasets.ts';
import { invalidInput } from '../../shared/errors/errors.ts';
import type { PlatformResource } from '../../shared/wells/platform-filters.ts';
import { encoded } from '../http/request.ts';

/** `/api/v1/data/{provider}/{dataset}/` and what follows it (specification, section 4.1). */
export function recordsPath({ provider, dataset }: DatasetAddress, rest = ''): string {
  return `/api/v1/data/${segment(provider, 'provider')}/${segment(dataset, 'dataset')}/${rest}`;
}

export function definitionPath({ provider, dataset }: DatasetAddress): string {
  return `/api/v1/dataset/${segment(provider, 'provider')}/${segment(dataset, 'dataset')}/`;
}

export function resourcePath(resource: PlatformResource, id?: number): string {
  return `/v2/${resource}${id === undefined ? '' : `/${id}`}`;
}

/** The dataset in words: "demo/wits". */
export function inWords({ provider, dataset }: DatasetAddress): string {
  return `the dataset ${provider}/${dataset}`;
}

// A segment of dots would climb out of its place, however it is encoded.
function segment(text: string, field: string): string {
  if (text === '' || /^\.{1,2}$/.test(text)) throw invalidInput(`“${text}” isn't a valid name.`, { field });
  return encoded(text, field);
}
