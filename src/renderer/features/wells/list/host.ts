import type { Well } from '../../../../shared/wells/wells.ts';
import { likelyWells } from '../likely-wells.ts';
import { ComingWells } from './coming-wells.ts';
import type { Mentions, WellAnswer, WellCall, WellRequest, WellValue } from './protocol.ts';
import type { WellIndex } from './well-index.ts';
import { rowByName } from '../../../ui/list-moves.ts';

/** So many things that were found can still be asked about. */
const foundHeld = 12;
/** Of so many wells all are offered while one is typed; of more those that fit what is typed. */
const mostOffered = 200;

interface Found {
  readonly index: WellIndex;
  readonly positions: Uint32Array;
}

/** The thread's side of the lists of wells; gives what is to be posted back, or null. */
export function createWellHost(): (request: WellRequest) => WellAnswer | null {
  const lists = { all: new ComingWells(), answer: new ComingWells() };
  const found = new Map<number, Found>();

  function keep(id: number, what: Found): void {
    found.set(id, what);
    const [oldest] = found.keys();
    if (found.size > foundHeld && oldest !== undefined) found.delete(oldest);
  }
  /** The result of a call, which counts as used last; undefined: it was released. */
  function foundAs(id: number): Found | undefined {
    const known = found.get(id);
    if (known && found.delete(id)) found.set(id, known);
    return known;
  }

  function answer(id: number, call: WellCall): WellValue {
    const { seen } = lists.all;
    switch (call.ask) {
      case 'look': {
        const list = lists[call.list];
        return {
          to: 'look',
          value: { count: list.seen.count, version: list.version, said: list.seen.said },
        };
      }
      case 'find': {
        const index = lists[call.list].seen;
        const positions = index.find(call.question);
        keep(id, { index, positions });
        const count = positions.length;
        const length = call.around.to - call.around.from;
        const from = Math.max(0, Math.min(call.around.from, count - length));
        const wells = wellsAt({ index, positions }, from, from + length);
        let withAsset = 0;
        for (const position of positions) if (index.at(position)?.assetId != null) withAsset += 1;
        return { to: 'find', value: { count, withAsset, from, wells } };
      }
      case 'rows': {
        const result = foundAs(call.found);
        return { to: 'rows', value: result ? wellsAt(result, call.span.from, call.span.to) : 'released' };
      }
      case 'locate': {
        const result = foundAs(call.found);
        if (!result) return { to: 'locate', value: 'released' };
        const { index, positions } = result;
        const nameOf = (row: number) => index.at(positions[row] ?? -1)?.name ?? '';
        return { to: 'locate', value: rowByName(call.text, call.from, positions.length, nameOf) };
      }
      case 'wells':
        return { to: 'wells', value: seen.wells(call.by, call.ids) };
      case 'search':
        return { to: 'search', value: seen.search(call.text, call.most) };
      case 'likely':
        return { to: 'likely', value: likelyWells(seen.withAssets(), call.name) };
      case 'mentioned':
        return { to: 'mentioned', value: mentioned(seen, call.mentions) };
    }
  }

  return (request) => {
    if ('tell' in request) {
      const list = lists[request.list];
      if (request.tell === 'hear') list.hear(request.event);
      else list[request.tell]();
      return null;
    }
    try {
      return { id: request.id, ...answer(request.id, request) };
    } catch (error) {
      return { id: request.id, problem: error instanceof Error ? error.message : String(error) };
    }
  };
}

const wellsAt = ({ index, positions }: Found, from: number, to: number): Well[] =>
  [...positions.subarray(from, to)].flatMap((position) => index.at(position) ?? []);

function mentioned(index: WellIndex, { ids, names, typed }: Mentions): Well[] {
  const text = index.count <= mostOffered ? '' : typed;
  const all = [
    ...index.wells('assetId', ids),
    ...index.wells('platformId', ids),
    ...index.named(names),
    ...(typed === null || text === null ? [] : index.search(text, mostOffered)),
  ];
  return [...new Set(all)];
}
