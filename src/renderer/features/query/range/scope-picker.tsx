import { Drill } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { PickList } from '../../../ui/pick-list.tsx';
import { Popup } from '../../../ui/popup.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { words } from '../../../words/words.ts';
import type { Well } from '../../../../shared/wells/wells.ts';
import { hasAssetId, scopeOf, type ScopedWell } from '../../../../shared/wells/scope.ts';
import type { WellIndex } from '../../wells/well-index.ts';
import { listedWells, maxSelectedWells } from '../../wells/wells-state.ts';
import { readScope, writeScope, type ScopeInText } from '../../../../shared/language/text/scope.ts';
import { useSessionState, useTab } from '../../../contexts.ts';
import { useTabWells } from '../../tabs/use-tab-wells.ts';

type Kind = 'chosen' | 'ids' | 'none';
const kinds: { id: Kind; text: string }[] = [
  { id: 'chosen', text: words.query.scope.follow },
  { id: 'ids', text: words.query.scope.fixed },
  { id: 'none', text: words.query.scope.none },
];
const namesShown = 2;

function scopeText(scopeOfText: ScopeInText, selected: readonly ScopedWell[], listed: WellIndex): string {
  const { scope } = words.query;
  if (scopeOfText.kind === 'odd') return scope.odd[scopeOfText.why];
  if (scopeOfText.kind === 'none') return scope.all;
  if (scopeOfText.kind === 'chosen' && selected.length === 0) return scope.noneSelected;
  const names =
    scopeOfText.kind === 'chosen'
      ? selected.map(({ name }) => name)
      : scopeOfText.ids.map(
          (id) => listed.well('assetId', id)?.name ?? words.wells.inRow.assetId(String(id)),
        );
  return scope.some(names.slice(0, namesShown), Math.max(0, names.length - namesShown));
}

/** The wells of the query, read from the text and written to it. */
export function ScopePicker({ conditions, path }: { conditions: string; path: string }) {
  const { scope } = words.query;
  const scopeOfText = readScope(conditions, path);
  const listed = useSessionState('wells', listedWells);
  const selected = useTabWells();
  const label = scopeText(scopeOfText, selected, listed);
  return (
    <Popup
      heading={scope.pickWells}
      placement="bottom start"
      trigger={
        <Button variant="quiet" className="scope-button" icon={Drill} aria-label={`${scope.wells}: ${label}`}>
          <span className="quiet scope-label">{scope.wells}</span> <span className="scope-said">{label}</span>
        </Button>
      }
    >
      {() =>
        scopeOfText.kind === 'odd' ? (
          <p className="scope-note">{scope.oddNote[scopeOfText.why]}</p>
        ) : (
          <ScopeForm scopeOfText={scopeOfText} path={path} />
        )
      }
    </Popup>
  );
}

interface ScopeFormProps {
  readonly scopeOfText: Exclude<ScopeInText, { kind: 'odd' }>;
  readonly path: string;
}

function ScopeForm({ scopeOfText, path }: ScopeFormProps) {
  const { actions, selectWells } = useTab('query');
  const { scope } = words.query;
  const selected = useTabWells();
  const [search, setSearch] = useState('');
  // Without ids the text has no wells, but the list stays open to select the first one.
  const [picking, setPicking] = useState(scopeOfText.kind === 'ids');
  const ids: readonly number[] =
    scopeOfText.kind === 'ids' ? scopeOfText.ids : scopeOfText.kind === 'chosen' ? scopeOf(selected) : [];
  const write = (next: Parameters<typeof writeScope>[2]) =>
    actions.change((conditions) => writeScope(conditions, path, next));
  const listed = useSessionState('wells', listedWells);
  // Those of the query come first; they stay where they are while the user changes them.
  const [first] = useState(() => new Set(ids));
  const shown = useMemo(() => {
    const isFirst = ({ assetId }: Well) => assetId !== null && first.has(assetId);
    const matching = listed.search(search);
    return [...matching.filter(isFirst), ...matching.filter((well) => !isFirst(well))];
  }, [listed, search, first]);
  function change(add: readonly Well[], remove: ReadonlySet<number | string>): void {
    const added = add.filter(hasAssetId);
    if (scopeOfText.kind === 'chosen')
      selectWells([...selected.filter(({ assetId }) => !remove.has(assetId)), ...added]);
    else
      write({ kind: 'ids', ids: [...new Set([...ids.filter((id) => !remove.has(id)), ...scopeOf(added)])] });
  }
  return (
    <div className="scope-form">
      <OptionGroup
        label={scope.which}
        layout="list"
        value={picking && scopeOfText.kind !== 'chosen' ? 'ids' : scopeOfText.kind}
        options={kinds}
        onChange={(kind) => {
          setPicking(kind === 'ids');
          if (kind === 'ids') write({ kind, ids: ids.length > 0 ? ids : scopeOf(selected) });
          else write({ kind });
        }}
      />
      {scopeOfText.kind === 'chosen' && <p className="field-note">{scope.followNote}</p>}
      {(picking || scopeOfText.kind === 'chosen') && (
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
              onSelectionChange={({ add, remove }) => change(add, remove)}
            />
          </div>
        </>
      )}
    </div>
  );
}

// A well without an asset id can't be selected.
const keyOf = ({ assetId, platformId }: Well) => assetId ?? `platform ${platformId}`;
