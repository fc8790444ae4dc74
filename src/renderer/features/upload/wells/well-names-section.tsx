import { CircleAlert, CircleCheck, Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { WellColumn } from '../../../../shared/upload/wells.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty, Loading } from '../../../ui/view-states.tsx';
import { Status } from '../../../ui/status.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { ConnectionFailed } from '../../connections/connection-failed.tsx';
import { isApiNumber } from '../../../../shared/wells/api-numbers.ts';
import type { ScopedWell } from '../../../../shared/wells/scope.ts';
import { similarWells } from '../../wells/similar-wells.ts';
import { listedWells } from '../../wells/wells-state.ts';
import { useSessionState, useTab, useTabState } from '../../../contexts.ts';
import { placeKind } from '../upload-state.ts';
import { WellBox } from '../../wells/well-box.tsx';
import { namesToResolve, type NameToResolve } from './well-names.ts';

const w = uploadWords.wells;
/** More rows than these are hidden at first. */
const initialRows = 30;

/** The wells named in the file. Names with no match or several matches come first. */
export function WellNamesSection() {
  const wellNames = useTabState('upload', (state) => state.wellNames);
  const naming = useTabState('upload', ({ choices }) =>
    Object.values(choices.columns).some((choice) => !choice.skip && (choice.by ?? 'id') !== 'id'),
  );
  const { actions } = useTab('upload');
  if (!naming) return null;
  return (
    <section aria-labelledby="upload-wells">
      <h2 id="upload-wells">{w.heading}</h2>
      {wellNames.status === 'loading' && <Loading what={w.looking} onCancel={actions.cancelWells} />}
      {wellNames.status === 'failed' && (
        <ConnectionFailed error={wellNames.error} onRetry={() => void actions.loadWells()} />
      )}
      {wellNames.status === 'idle' && (
        <Empty action={<Button onPress={() => void actions.loadWells()}>{w.look}</Button>}>
          {w.notLooked}
        </Empty>
      )}
      {wellNames.status === 'loaded' && <WellNameTable columns={wellNames.value} />}
    </section>
  );
}

function WellNameTable({ columns }: { columns: readonly WellColumn[] }) {
  const choices = useTabState('upload', (state) => state.choices);
  const [all, setAll] = useState(false);
  const names = useMemo(() => namesToResolve(columns, choices), [columns, choices]);
  const open = names.filter((name) => name.isAmbiguous);
  const left = open.filter(({ assetId }) => assetId === null).length;
  const shown = all ? names : open.slice(0, initialRows);
  return (
    <>
      <Status className={left > 0 ? 'tone-error' : 'quiet'}>
        {left > 0 ? w.left(left, names.length) : w.allKnown(names.length)}
      </Status>
      {shown.length > 0 && (
        <ul className="stack gap-0">
          {shown.map((name) => (
            <NameRow key={`${name.column} ${name.value}`} name={name} />
          ))}
        </ul>
      )}
      {!all && shown.length < names.length && (
        <Button variant="quiet" className="upload-more" onPress={() => setAll(true)}>
          {w.showAll(names.length)}
        </Button>
      )}
    </>
  );
}

function NameRow({ name }: { name: NameToResolve }) {
  const { actions } = useTab('upload');
  const { column, value, line, assetId, found, isAmbiguous } = name;
  const isOpen = isAmbiguous && assetId === null;
  const listed = useSessionState('wells', listedWells);
  const needsLikely = isOpen && name.candidates.length === 0;
  const likely = useMemo(
    () => (needsLikely ? similarWells(listed.wells, value) : []),
    [needsLikely, listed, value],
  );
  const suggestions = isOpen ? suggestionsFor(name, likely) : [];
  const places = useTabState('upload', placeKind);
  const settle = (id: number | null) => actions.assignWell(column, value, id);
  const isKnown = assetId !== null;
  const Icon = isKnown ? CircleCheck : CircleAlert;
  return (
    <li className="upload-well" aria-label={value}>
      <span className="row gap-0 state" data-state={isKnown ? 'known' : 'open'}>
        <Icon size={16} aria-hidden />
      </span>
      <span className="upload-well-name line">
        <strong>{value}</strong>
        <span className="quiet numbers">{uploadWords.inLine(line, places)}</span>
      </span>
      <WellBox
        label={w.standsFor(value)}
        assetId={assetId === null ? '' : String(assetId)}
        onChoose={(text) => settle(/^\d{1,15}$/.test(text) ? Number(text) : null)}
      />
      <span className="row gap-0 wrap">
        {!isKnown && <span className="quiet">{w.found[found]}</span>}
        {suggestions.map((offer) => (
          <Button key={offer.assetId} variant="quiet" onPress={() => settle(offer.assetId)}>
            {w.use(offer.name, offer.note)}
          </Button>
        ))}
        {found === 'settled' && (
          <Button variant="quiet" icon={Undo2} onPress={() => settle(null)}>
            {w.undo}
          </Button>
        )}
      </span>
    </li>
  );
}

interface WellSuggestion {
  readonly assetId: number;
  readonly name: string;
  /** Distinguishes it from others of the same name; null: none has. */
  readonly note: string | null;
}

/** Maximum number of wells that are offered where others can be meant. */
const maxSuggestions = 4;

/** The platform's candidates, all of them if one of them must be meant; if there are none, wells with similar names. */
function suggestionsFor(
  { candidates, found, value }: NameToResolve,
  likely: readonly ScopedWell[],
): WellSuggestion[] {
  const some = candidates.length > 0 ? candidates : likely;
  const alike = isApiNumber(value) || new Set(some.map(({ name }) => name)).size < some.length;
  return some
    .slice(0, found === 'several' ? undefined : maxSuggestions)
    .map(({ assetId, name, apiNumber }) => ({
      assetId,
      name,
      note: alike ? (apiNumber ?? String(assetId)) : null,
    }));
}
