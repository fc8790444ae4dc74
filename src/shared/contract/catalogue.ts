import { eventIterator } from '@orpc/contract';
import {
  catalogueEvent,
  catalogueQuery,
  company,
  datasetCatalogueQuery,
  entitiesCatalogueQuery,
  longCatalogueEvent,
  wellsCatalogueQuery,
} from '../catalogue/catalogue.ts';
import { dataset } from '../datasets/datasets.ts';
import { platformEntity } from '../wells/wells.ts';
import { call } from './call.ts';

/** Lists of companies, datasets, and platform resources: the cached list at once, then the service's. */
export const catalogueCalls = {
  wells: call.input(wellsCatalogueQuery).output(eventIterator(longCatalogueEvent)),
  entities: call.input(entitiesCatalogueQuery).output(eventIterator(catalogueEvent(platformEntity))),
  companies: call.input(catalogueQuery).output(eventIterator(catalogueEvent(company))),
  datasets: call.input(catalogueQuery).output(eventIterator(catalogueEvent(dataset))),
  /** A single definition: one item, with its indexes and statistics. */
  dataset: call.input(datasetCatalogueQuery).output(eventIterator(catalogueEvent(dataset))),
};
