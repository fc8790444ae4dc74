import { words } from '../../words/words.ts';
import type { Dataset, DatasetType } from '../../../shared/datasets/datasets.ts';

/** `all`, or one of the four types. */
export type TypeFilter = DatasetType | 'all';

/** The datasets of the type whose address, friendly name or description holds every word of the text. */
export function searchDatasets(
  datasets: readonly Dataset[],
  text: string,
  type: TypeFilter,
): readonly Dataset[] {
  const wanted = text
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return datasets.filter((dataset) => {
    if (type !== 'all' && dataset.type !== type) return false;
    const hay = haystack(dataset);
    return wanted.every((word) => hay.includes(word));
  });
}

// What is searched for each dataset, made once: the list is searched at every key stroke.
const haystacks = new WeakMap<Dataset, string>();

function haystack(dataset: Dataset): string {
  const known = haystacks.get(dataset);
  if (known !== undefined) return known;
  const made = [addressInWords(dataset), dataset.friendlyName, dataset.description]
    .join('\n')
    .toLocaleLowerCase();
  haystacks.set(dataset, made);
  return made;
}

/** A dataset's address in words; also its key in lists. */
export function addressInWords({ provider, dataset }: Pick<Dataset, 'provider' | 'dataset'>): string {
  return `${provider}/${dataset}`;
}

/** A dataset's type in words; a type that is not known here as the service said it. */
export function typeInWords({ type, typeSaid }: Pick<Dataset, 'type' | 'typeSaid'>): string {
  return type === null ? words.datasets.otherType(typeSaid) : words.datasets.types[type];
}
