import type { Synonyms } from '../../../../shared/channels/channels.ts';
import { maxPlotFields } from '../../../../shared/tabs/plot.ts';
import { plotWords } from '../../../words/plot.ts';
import { choiceFor } from '../../plot/first-choice.ts';
import { isNumeric } from '../../plot/source.ts';
import { pathId } from '../../../../shared/column-paths.ts';
import type { ColumnHead } from '../../records/table.ts';
import type { Results } from '../results.ts';

export const isPlottable = ({ kind, path }: ColumnHead): boolean => isNumeric({ id: pathId(path), kind });

/** Adds a column to the plot and shows it, or says why it can't. */
export function plotField(
  { store, actions, plot, dataset }: Results,
  columns: readonly ColumnHead[],
  id: string,
  synonyms: Synonyms,
) {
  const fields = columns.map(({ path, kind }) => ({ id: pathId(path), kind }));
  const field = fields.find((field) => field.id === id);
  const shown = choiceFor(plot.store.getState().choice, dataset.type, fields, synonyms);
  if (!field || !shown || !isNumeric(field)) return actions.showNotice(plotWords.noNumbers(id));
  if (!shown.y.includes(id) && shown.y.length >= maxPlotFields)
    return actions.showNotice(plotWords.full(maxPlotFields));
  plot.actions.add(shown, id);
  if (store.getState().view === 'table') actions.setView('plot');
  return undefined;
}
