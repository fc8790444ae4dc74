import { words } from '../../words/words.ts';
import type { CsvHeads } from './csv.ts';
import { groupName, type PlotNames } from './names.ts';
import type { Content } from './scene.ts';

/** What stands over the columns of a plot's data: the fields' own paths, for what reads them. */
export function csvHeads({ choice, groups }: Content, time: boolean, names: PlotNames): CsvHeads {
  return {
    x: choice.x,
    y: choice.y,
    group: groups.length > 1 ? words.plot.wellHead : undefined,
    groups: groups.map((group) => groupName(group, names)),
    time,
  };
}
