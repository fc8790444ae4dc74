import { useStore } from 'zustand';
import { minuteMs, useTimeOfDay } from '../../state/use-now.ts';
import { Choice } from '../../ui/choice.tsx';
import { words } from '../../words/words.ts';
import type { Browse } from './browse.ts';
import { EntityTable } from './entity-table.tsx';
import { entityKinds } from './entity-filters.ts';
import { WellTable } from './well-table.tsx';
import './browse.css';

const kinds = (['wells', ...entityKinds] as const).map((id) => ({ id, text: words.wells.browse.title[id] }));

/** The tab that lists wells as a table, assets, and what wells belong to. */
export function BrowseView({ browse }: { browse: Browse }) {
  const listed = useStore(browse.store, (state) => state.listed);
  const now = useTimeOfDay(minuteMs);
  return (
    <div className="wells-browse">
      <h2 className="visually-hidden">{words.wells.browse.title[listed]}</h2>
      <div className="browse-kinds">
        <Choice
          label={words.wells.browse.what}
          value={listed}
          options={kinds}
          onChange={(kind) => browse.actions.list(kind)}
          layout="line"
        />
      </div>
      {listed === 'wells' ? (
        <WellTable browse={browse} now={now} />
      ) : (
        <EntityTable key={listed} browse={browse} kind={listed} now={now} />
      )}
    </div>
  );
}
