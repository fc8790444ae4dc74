import { maxResponseBytes } from '../http/limits.ts';
import { jsonOf } from '../http/response.ts';
import type { Http } from '../http/http.ts';
import { get, type HttpRequest, type Parameters } from '../http/request.ts';
import type { JsonValue } from '../../../../shared/json.ts';
import { readCompanyListing, readDefinition, readDefinitions } from './definitions.ts';
import { insertRecords } from './insert.ts';
import { definitionPath, describeDataset } from './paths.ts';
import { recordReads } from './records.ts';
import type { CallOptions, DataService } from './services.ts';
import type { ReadItems } from './tolerant.ts';

/** The data service over a client: one function for each endpoint (specification, section 4.1). */
export function dataService(http: Http): DataService {
  async function readList<T>(
    what: string,
    request: HttpRequest,
    decode: (value: JsonValue) => ReadItems<T>,
    options: CallOptions | undefined,
  ): Promise<T[]> {
    const readOptions = { ...options, maxBytes: maxResponseBytes.list, what };
    const { items, skipped } = await http.read(request, (response) => decode(jsonOf(response)), readOptions);
    http.reportSkipped(what, skipped);
    return items;
  }

  return {
    ...recordReads(http),
    now: () => http.serviceNow(),
    insert: (address, body, rows, options) => insertRecords(http, address, body, rows, options),
    async datasets({ search, plottable, temporary }, options) {
      const request = get('/api/v1/dataset/', [
        ...(search ? ([['search', search]] as const) : []),
        ...flag('plottable', plottable),
        ...flag('temporary', temporary),
      ]);
      return readList('the list of datasets', request, readDefinitions, options);
    },
    async companyDatasets({ plottable, type }, options) {
      const request = get('/api/v1/dataset/company/', [
        ...flag('plottable', plottable),
        ...(type ? ([['type', type]] as const) : []),
      ]);
      return readList('the list of companies’ datasets', request, readCompanyListing, options);
    },
    async dataset(address, options) {
      return http.read(get(definitionPath(address)), (response) => readDefinition(jsonOf(response)), {
        ...options,
        maxBytes: maxResponseBytes.list,
        what: describeDataset(address),
      });
    },
  };
}

function flag(name: string, value: boolean | undefined): Parameters {
  return value === undefined ? [] : [[name, String(value)]];
}
