import type { AddressInfo } from 'node:net';
import { Tokens, demoSecrets } from './auth.ts';
import { buildCatalogue } from './datasets.ts';
import { FaultDice, type Faults, noFaults } from './faults.ts';
import { fillSample, startGrowing } from './generate/sample.ts';
import type { JsonObject } from '../shared/json.ts';
import { predicate } from './mongo.ts';
import { platformPrefix } from './http.ts';
import { makeServer } from './http.ts';
import { buildWorld, sampleEnd } from './platform/world.ts';
import type { Service } from './service.ts';

export type { Faults } from './faults.ts';
export { faultNames, noFaults, parseFault } from './faults.ts';
export { demoSecrets } from './auth.ts';

export interface DemoOptions {
  /** 0, the default: a port that is free. */
  port?: number;
  /** The same seed gives the same wells, records, and credentials. */
  seed?: number;
  /** Wells that the ordinary keys see. */
  wells?: number;
  /** Records in all datasets together. */
  records?: number;
  /** Total number of datasets; those beyond the usual ones are empty. */
  datasets?: number;
  faults?: Partial<Faults>;
  /** Whether faults can be changed over HTTP; off by default. */
  admin?: boolean;
  /** Whether the newest records are current, and a new one is added each second. */
  live?: boolean;
}

/** A running demo: both services on one port of this machine. */
export type Demo = Awaited<ReturnType<typeof startDemo>>;

/** Starts both services (specification, sections 2 to 8) on 127.0.0.1 with sample data in memory. */
export async function startDemo(options: DemoOptions = {}) {
  const {
    port = 0,
    seed = 1,
    wells = 30,
    records = 200_000,
    datasets = 0,
    admin = false,
    live = false,
  } = options;
  const faults: Faults = { ...noFaults, ...options.faults };
  const { apiKeys, login } = demoSecrets(seed);
  const end = live ? Math.floor(Date.now() / 1000) * 1000 : sampleEnd;
  const world = buildWorld(seed, wells, end);
  const catalogue = buildCatalogue(datasets);
  const filled = fillSample(catalogue, world, seed, records);
  const service: Service = {
    world,
    catalogue,
    tokens: new Tokens(seed, faults),
    faults,
    dice: new FaultDice(seed, faults),
    admin,
    later: (ms, work) => void setTimeout(work, ms).unref(),
  };
  const server = makeServer(service);
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', listening);
  });
  const stopGrowing = live ? startGrowing(filled, end) : () => undefined;
  const dataUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    dataUrl,
    platformUrl: `${dataUrl}${platformPrefix}`,
    apiKeys,
    login,
    /** Can be changed while the demo runs. */
    faults,
    /**
     * Changes a dataset as its owner can, without the checks of an insert.
     * @param dataset provider/dataset
     * @returns the number of removed records
     */
    change(
      dataset: string,
      { insert = [], remove }: { insert?: readonly JsonObject[]; remove?: JsonObject },
    ) {
      const changed = catalogue.all.get(dataset);
      if (!changed) throw new Error(`there is no dataset ${dataset}`);
      const removed = remove ? changed.collection.remove(predicate(remove)) : 0;
      if (insert.length > 0) changed.collection.insert(insert);
      return removed;
    },
    async close(): Promise<void> {
      stopGrowing();
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
}
