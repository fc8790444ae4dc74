import { implement, type Router } from '@orpc/server';
import { catalogueCalls } from '../../shared/contract/catalogue.ts';
import type { RoomHandlers } from '../handlers.ts';
import { call, type Host } from './call.ts';

/** The calls of `catalogue`, each with the room's function behind it. */
export function gate(room: RoomHandlers<typeof catalogueCalls>) {
  const os = implement(catalogueCalls).$context<Host>();
  return {
    wells: os.wells.handler(call(room.wells)),
    entities: os.entities.handler(call(room.entities)),
    companies: os.companies.handler(call(room.companies)),
    datasets: os.datasets.handler(call(room.datasets)),
    dataset: os.dataset.handler(call(room.dataset)),
  } satisfies Router<typeof catalogueCalls, Host>;
}
