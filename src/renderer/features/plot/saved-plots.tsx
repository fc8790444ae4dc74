import { LayoutTemplate } from 'lucide-react';
import { useEffect } from 'react';
import { channelOf, type Synonyms } from '../../../shared/channels/channels.ts';
import type { PlotChoice } from '../../../shared/tabs/plot.ts';
import type { SavedQuery } from '../../../shared/saved/saved.ts';
import { useApp, useAppState } from '../../contexts.ts';
import { valueOr } from '../../state/loadable.ts';
import { MenuButton } from '../../ui/menu-button.tsx';
import { plotWords } from '../../words/plot.ts';
import { useSynonyms } from '../settings/use-synonyms.ts';
import { lastName } from './first-choice.ts';
import type { PlotBarProps } from './plot-bar.tsx';
import type { PlotField } from './source.ts';

/** The plot of a saved query with these fields, or those of the same channels; null: one is missing. */
export function fittingPlot(
  choice: PlotChoice,
  fields: readonly PlotField[],
  synonyms: Synonyms,
): PlotChoice | null {
  const channelName = (id: string): string | undefined => channelOf(lastName(id), { synonyms })?.channel.name;
  const fieldFor = (id: string): string | null => {
    if (fields.some((field) => field.id === id)) return id;
    const channel = channelName(id);
    const same =
      channel === undefined ? undefined : fields.find((field) => channelName(field.id) === channel);
    return same?.id ?? null;
  };
  const color = choice.crossplot?.color ?? null;
  const used = [choice.x, ...choice.y, ...(color === null ? [] : [color])];
  const fieldsById = new Map(used.map((id) => [id, fieldFor(id)]));
  // Two fields of a channel can't be one.
  if ([...fieldsById.values()].includes(null) || new Set(fieldsById.values()).size < fieldsById.size)
    return null;
  const named = (id: string): string => fieldsById.get(id) ?? fieldFor(id) ?? id;
  return {
    ...choice,
    x: named(choice.x),
    y: choice.y.map(named),
    ...(choice.others ? { others: choice.others.map(named) } : {}),
    ...(choice.tracks ? { tracks: choice.tracks.map((track) => track.map(named)) } : {}),
    ...(choice.curves
      ? {
          curves: Object.fromEntries(
            Object.entries(choice.curves).map(([id, style]) => [
              named(id),
              style.fill?.to === 'curve'
                ? { ...style, fill: { ...style.fill, field: named(style.fill.field) } }
                : style,
            ]),
          ),
        }
      : {}),
    ...(choice.crossplot
      ? { crossplot: { ...choice.crossplot, color: color === null ? null : named(color) } }
      : {}),
  };
}

/** The saved queries whose plots these records can have. */
const offersOf = (queries: readonly SavedQuery[], fields: readonly PlotField[], synonyms: Synonyms) =>
  queries.flatMap(({ id, name, look }) => {
    const choice = look?.plot ? fittingPlot(look.plot, fields, synonyms) : null;
    return choice ? [{ id, name, choice }] : [];
  });

/** Offers the plots of saved queries that these records can have: type, channels, scales, overlays. */
export function SavedPlots({ plot, source }: PlotBarProps) {
  const { saved } = useApp();
  const list = useAppState('saved', (state) => state.list);
  const synonyms = useSynonyms();
  useEffect(() => {
    if (saved.store.getState().list.status === 'idle') void saved.actions.load();
  }, [saved]);
  const { queries } = valueOr(list, { queries: [], folders: [], problem: null });
  const offers = offersOf(queries, source.fields, synonyms);
  if (offers.length === 0) return null;
  return (
    <MenuButton
      label={plotWords.savedPlots}
      icon={LayoutTemplate}
      items={offers.map(({ id, name }) => ({ id, text: name }))}
      onSelect={(id) => {
        const offer = offers.find((offer) => offer.id === id);
        if (offer) plot.actions.choose(offer.choice);
      }}
    />
  );
}
