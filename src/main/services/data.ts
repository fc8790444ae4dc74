import { maxAnswerBytes } from '../http/limits.ts';
import { jsonOf } from '../http/answer.ts';
import type { Http } from '../http/http.ts';
import { get, type Parameters, encoded } from '../http/request.ts';
import { readCompanyListing, readDefinition, readDefinitions } from './definitions.ts';
import { insertRecords } from './insert.ts';
import { recordReads } from './records.ts';
import type { DataService } from './services.ts';
import type { DatasetAddress } from '../../shared/datasets/datasets.ts';
import { invalidInput } from '../../shared/errors/errors.ts';
import type { PlatformResource } from '../../shared/wells/platform-filters.ts';

/** The data service over a client: one function for each endpoint (specification, section 4.1). */
export function dataService(http: Http): DataService {
  return {
    ...recordReads(http),
    insert: (address, body, rows, options) => insertRecords(http, address, body, rows, options),
    async datasets({ search, plottable, temporary }, options) {
      const request = get('/api/v1/dataset/', [
        ...(search ? ([['search', search]] as const) : []),
        ...flag('plottable', plottable),
        ...flag('temporary', temporary),
      ]);
      return http.read(request, (answer) => readDefinitions(jsonOf(answer)), {
        ...options,
        maxBytes: maxAnswerBytes.list,
        what: 'the list of datasets',
      });
    },
    async companyDatasets({ plottable, type }, options) {
      const request = get('/api/v1/dataset/company/', [
        ...flag('plottable', plottable),
        ...(type ? ([['type', type]] as const) : []),
      ]);
      return http.read(request, (answer) => readCompanyListing(jsonOf(answer)), {
        ...options,
        maxBytes: maxAnswerBytes.list,
        what: 'the list of companies’ datasets',
      });
    },
    async dataset(address, options) {
      return http.read(get(definitionPath(address)), (answer) => readDefinition(jsonOf(answer)), {
        ...options,
        maxBytes: maxAnswerBytes.list,
        what: inWords(address),
      });
    },
  };
}

function flag(name: string, value: boolean | undefined): Parameters {
  return value === undefined ? [] : [[name, String(value)]];
}

/** `/api/v1/data/{provider}/{dataset}/` and what follows it (specification, section 4.1). */
export function recordsPath({ provider, dataset }: DatasetAddress, rest = ''): string {
  return `/api/v1/data/${segment(provider, 'provider')}/${segment(dataset, 'dataset')}/${rest}`;
}

function definitionPath({ provider, dataset }: DatasetAddress): string {
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
  if (text === '' || /^\.{1,2}$/.test(text)) throw invalidInput(`“${text}” is not a name.`, { field });
  return encoded(text, field);
}
