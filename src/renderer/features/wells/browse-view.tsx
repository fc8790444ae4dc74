import { useStore } from 'zustand';
import { minuteMs, useTimeOfDay } from '../../state/use-now.ts';
import { OptionGroup } from '../../ui/option-group.tsx';
import { words } from '../../words/words.ts';
import type { Browse } from './browse.ts';
import { EntityTable } from './entity-table.tsx';
import { entityKinds } from './entity-filters.ts';
import { WellTable } from './well-table.tsx';
import './browse.css';

const kinds = (['wells', ...entityKinds] as const).map((id) => ({ id, text: words.wells.browse.title[id] }));

/** The tab with tables of wells, assets, and the groups that wells belong to. */
export default function BrowseView({ tab: browse }: { tab: Browse }) {
  const list = useStore(browse.store, (state) => state.list);
  const clock = useTimeOfDay(minuteMs);
  return (
    <div className="wells-browse stack gap-0">
      <h2 className="visually-hidden">{words.wells.browse.title[list]}</h2>
      <div className="browse-kinds">
        <OptionGroup
          label={words.wells.browse.what}
          value={list}
          options={kinds}
          onChange={(kind) => browse.actions.list(kind)}
          layout="line"
        />
      </div>
      {list === 'wells' ? (
        <WellTable browse={browse} now={clock} />
      ) : (
        <EntityTable key={list} browse={browse} kind={list} now={clock} />
      )}
    </div>
  );
}
