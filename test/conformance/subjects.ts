import type { JsonObject } from '../../src/shared/json.ts';
import { type Client, attributes } from './client.ts';
import { objects, textOf } from './target.ts';

/** The service's own data that the tests request: found by queries, so that any service works. */
export interface Subjects {
  /** All accessible wells. */
  readonly wells: readonly JsonObject[];
  readonly assetIds: readonly number[];
  /** A dataset of each type with records, and the asset of the newest; null when there is none. */
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

/** Finds wells, and datasets with records of them. */
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
      const request = { query: { [scope]: { $in: assetIds }, ...also }, sort: { [index]: -1 }, limit: 1 };
      const reply = await client.data(dataset, 'list/', {}, { body: request });
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
