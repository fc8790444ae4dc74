import type { Dataset, DatasetType } from '../../../shared/datasets.ts';

/** `all`, or one of the four types. */
export type TypeFilter = DatasetType | 'all';

/** The datasets of the type whose address, friendly name or description holds every word of the text. */
export function searchDatasets(
  datasets: readonly Dataset[],
  text: string,
  type: TypeFilter,
): readonly Dataset[] {
  const words = text
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return datasets.filter((dataset) => {
    if (type !== 'all' && dataset.type !== type) return false;
    const hay =
      `${dataset.provider}/${dataset.dataset}\n${dataset.friendlyName}\n${dataset.description}`.toLocaleLowerCase();
    return words.every((word) => hay.includes(word));
  });
}

/** A dataset's address in words; also its key in lists. */
export function addressInWords({ provider, dataset }: Pick<Dataset, 'provider' | 'dataset'>): string {
  return `${provider}/${dataset}`;
}
