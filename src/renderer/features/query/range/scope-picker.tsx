import { Drill } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { PickList } from '../../../ui/pick-list.tsx';
import { Popup } from '../../../ui/popup.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { words } from '../../../words/words.ts';
import type { Well } from '../../../../shared/wells/wells.ts';
import { hasAssetId, scopeOf } from '../../wells/scope.ts';
import type { WellIndex } from '../../wells/well-index.ts';
import { listedWells, maxSelectedWells } from '../../wells/wells-state.ts';
import { readScope, writeScope, type ScopeInText } from '../../../../shared/language/text/scope.ts';
import { useSessionState, useTab } from '../../../state/contexts.ts';

type Kind = 'chosen' | 'ids' | 'none';
const kinds: { id: Kind; text: string }[] = [
  { id: 'chosen', text: words.query.scope.follow },
  { id: 'ids', text: words.query.scope.fixed },
  { id: 'none', text: words.query.scope.none },
];
const namesShown = 2;

function scopeText(found: ScopeInText, listed: WellIndex): string {
  const { scope } = words.query;
  if (found.kind === 'odd') return scope.odd[found.why];
  if (found.kind === 'none') return scope.all;
  if (found.kind === 'chosen') return scope.chosen;
  const names = found.ids.slice(0, namesShown).map((id) => listed.well('assetId', id)?.name ?? String(id));
  return scope.some(names, Math.max(0, found.ids.length - namesShown));
}

/** The wells of the query, read from the text and written to it. */
export function ScopePicker({ conditions, path }: { conditions: string; path: string }) {
  const { scope } = words.query;
  const found = readScope(conditions, path);
  const listed = useSessionState('wells', listedWells);
  const label = scopeText(found, listed);
  return (
    <Popup
      heading={scope.pickWells}
      placement="bottom start"
      trigger={
        <Button variant="quiet" className="scope-button" icon={Drill} aria-label={`${scope.wells}: ${label}`}>
          <span className="quiet">{scope.wells}</span> <span className="scope-said">{label}</span>
        </Button>
      }
    >
      {() =>
        found.kind === 'odd' ? (
          <p className="scope-note">{scope.oddNote[found.why]}</p>
        ) : (
          <ScopeForm found={found} path={path} />
        )
      }
    </Popup>
  );
}

interface ScopeFormProps {
  readonly found: Exclude<ScopeInText, { kind: 'odd' }>;
  readonly path: string;
}

function ScopeForm({ found, path }: ScopeFormProps) {
  const { actions } = useTab('query');
  const { scope } = words.query;
  const selected = useSessionState('wells', (state) => state.selected);
  const [search, setSearch] = useState('');
  // Without ids the text has no wells, but the list stays open to select the first one.
  const [picking, setPicking] = useState(found.kind === 'ids');
  const ids = found.kind === 'ids' ? found.ids : [];
  const write = (next: Parameters<typeof writeScope>[2]) =>
    actions.change((conditions) => writeScope(conditions, path, next));
  const listed = useSessionState('wells', listedWells);
  const shown = useMemo(() => listed.search(search), [listed, search]);
  return (
    <div className="scope-form">
      <OptionGroup
        label={scope.which}
        layout="list"
        value={picking && found.kind !== 'chosen' ? 'ids' : found.kind}
        options={kinds}
        onChange={(kind) => {
          setPicking(kind === 'ids');
          if (kind === 'ids') write({ kind, ids: ids.length > 0 ? ids : scopeOf(selected) });
          else write({ kind });
        }}
      />
      {found.kind === 'chosen' && <p className="field-note">{scope.followNote}</p>}
      {picking && found.kind !== 'chosen' && (
        <>
          <SearchBox
            label={scope.search}
            placeholder={words.wells.searchHint}
            value={search}
            onChange={setSearch}
          />
          <div className="scope-wells">
            <PickList
              label={scope.pickWells}
              items={shown}
              keyOf={keyOf}
              nameOf={({ name }) => name}
              isDisabled={(well) => !hasAssetId(well)}
              maxSelected={maxSelectedWells}
              render={({ name, assetId }) => (
                <span className="scope-well">
                  {name} <span className="quiet numbers">{assetId}</span>
                </span>
              )}
              rowHeight={28}
              selected={new Set(ids)}
              onSelectionChange={({ add, remove }) => {
                const kept = ids.filter((id) => !remove.has(id));
                write({ kind: 'ids', ids: [...new Set([...kept, ...scopeOf(add.filter(hasAssetId))])] });
              }}
            />
          </div>
        </>
      )}
    </div>
  );
}

// A well without an asset id can't be selected.
const keyOf = ({ assetId, platformId }: Well) => assetId ?? `platform ${platformId}`;
