import type { JsonObject } from '../../src/shared/json.ts';
import type { Client } from './client.ts';
import { attributes } from './client.ts';
import { objects, textOf } from './target.ts';

/** What of the service's own data the tests ask for: found by looking, so that any service will do. */
export interface Subjects {
  /** All wells that are seen. */
  readonly wells: readonly JsonObject[];
  readonly assetIds: readonly number[];
  /** A dataset of each type that has records, with the asset of the newest; null when there is none. */
  readonly time: Subject | null;
  readonly depth: Subject | null;
  readonly timeseries: Subject | null;
  /** A dataset whose records have a stage number. */
  readonly stages: Subject | null;
  readonly definitions: readonly JsonObject[];
}

export interface Subject {
  readonly dataset: string;
  readonly assetId: number;
  readonly newest: JsonObject;
}

const most = 10_000;

/** Looks for wells and for datasets with records of them. */
export async function findSubjects(client: Client): Promise<Subjects> {
  const wells = await client.list('wells', { per_page: most });
  const assetIds = wells.map((well) => Number(attributes(well)['asset_id']));
  const definitions = objects((await client.definitions()).json);
  const firstOf = async (
    type: string,
    index: string,
    scope: string,
    also: JsonObject = {},
  ): Promise<Subject | null> => {
    for (const definition of definitions.filter((candidate) => candidate['data_type'] === type)) {
      const dataset = `${textOf(definition['provider'])}/${textOf(definition['name']).split('#').at(-1) ?? ''}`;
      const given = { query: { [scope]: { $in: assetIds }, ...also }, sort: { [index]: -1 }, limit: 1 };
      const reply = await client.data(dataset, 'list/', {}, { body: given });
      const newest = reply.status === 200 ? objects(reply.json)[0] : undefined;
      if (newest) return { dataset, assetId: assetOf(newest), newest };
    }
    return null;
  };
  return {
    wells,
    assetIds,
    definitions,
    time: await firstOf('time', 'timestamp', 'asset_id'),
    depth: await firstOf('depth', 'measured_depth', 'asset_id'),
    timeseries: await firstOf('timeseries', 'datetime', 'metadata.asset_id'),
    stages: await firstOf('time', 'timestamp', 'asset_id', { stage_number: { $gte: 1 } }),
  };
}

function assetOf(record: JsonObject): number {
  const { asset_id: own, metadata } = record;
  return Number(own ?? (metadata as JsonObject)['asset_id']);
}
