import { formatCount } from '../format/numbers.ts';
import { counted } from './en-counted.ts';

/** The words of wells in English. */
export const wells = {
  heading: 'Wells',
  search: 'Search wells',
  searchHint: 'Name, API number or asset id',
  loading: 'Loading the wells…',
  empty: 'This connection shows no wells. Check with your administrator which wells the key may see.',
  notLoaded: 'The wells were not loaded.',
  load: 'Load the wells',
  noMatch: (text: string) => `No well matches “${text}”. Search by name, API number or asset id.`,
  clearSearch: 'Clear the search',
  shown: (shown: number, all: number) =>
    shown === all
      ? counted(all, 'well', 'wells')
      : `${formatCount(shown)} of ${counted(all, 'well', 'wells')}`,
  chosen: (count: number) => `${formatCount(count)} chosen`,
  asset: (id: number) => `asset ${id}`,
  noAsset: 'no asset id',
  noApiNumber: 'no API number',
  noAssetNote: 'The platform gave no asset id, so its data can’t be asked for.',
  neverActive: 'activity unknown',
  details: (name: string) => `Details of ${name}`,
  assetId: 'Asset id',
  assetIdNote: 'scopes records',
  platformId: 'Platform id',
  platformIdNote: 'not used for data',
  apiNumber: 'API number',
  identifier: 'Identifier',
  status: 'Status',
  state: 'State',
  area: 'Area',
  company: 'Company',
  lastActive: 'Last active',
  scope: 'Scope',
  noScope: 'No wells chosen: pick some on the left',
  removeAll: 'Remove all wells',
  more: (count: number) => `+${formatCount(count)} more`,
};
