import { CircleAlert, CircleCheck, Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { WellColumn } from '../../../../shared/upload/wells.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty, Loading } from '../../../ui/view-states.tsx';
import { Status } from '../../../ui/status.tsx';
import { words } from '../../../words/words.ts';
import { ConnectionFailed } from '../../connections/connection-failed.tsx';
import type { ScopedWell } from '../../wells/scope.ts';
import { likelyWells } from '../../wells/likely-wells.ts';
import { listedWells } from '../../wells/wells-state.ts';
import { useSessionState, useTab, useTabState } from '../../../state/contexts.ts';
import { WellBox } from './well-box.tsx';
import { namesToSettle, type NameToSettle } from './well-names.ts';

const w = words.upload.wells;
/** More rows than these are shown when they are asked for. */
const shownAtFirst = 30;

/** The wells that the file names: those that nobody knows, or that are several, to be settled first. */
export function WellNamesSection() {
  const found = useTabState('upload', (state) => state.wellNames);
  const naming = useTabState('upload', ({ choices }) =>
    Object.values(choices.columns).some((choice) => !choice.skip && (choice.by ?? 'id') !== 'id'),
  );
  const { actions } = useTab('upload');
  if (!naming) return null;
  return (
    <section aria-labelledby="upload-wells">
      <h2 id="upload-wells">{w.heading}</h2>
      {found.status === 'loading' && <Loading what={w.looking} onCancel={actions.cancelWells} />}
      {found.status === 'failed' && (
        <ConnectionFailed error={found.error} onRetry={() => void actions.lookForWells()} />
      )}
      {found.status === 'idle' && (
        <Empty action={<Button onPress={() => void actions.lookForWells()}>{w.look}</Button>}>
          {w.notLooked}
        </Empty>
      )}
      {found.status === 'loaded' && <Names columns={found.value} />}
    </section>
  );
}

function Names({ columns }: { columns: readonly WellColumn[] }) {
  const choices = useTabState('upload', (state) => state.choices);
  const [all, setAll] = useState(false);
  const names = useMemo(() => namesToSettle(columns, choices), [columns, choices]);
  const open = names.filter((name) => name.open);
  const left = open.filter(({ assetId }) => assetId === null).length;
  const shown = all ? names : open.slice(0, shownAtFirst);
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

function NameRow({ name }: { name: NameToSettle }) {
  const { actions } = useTab('upload');
  const { column, value, line, assetId, found, open } = name;
  const isOpen = open && assetId === null;
  const listed = useSessionState('wells', listedWells);
  const needsLikely = isOpen && name.candidates.length === 0;
  const likely = useMemo(
    () => (needsLikely ? likelyWells(listed.wells, value) : []),
    [needsLikely, listed, value],
  );
  const offers = isOpen ? offersFor(name, likely) : [];
  const settle = (id: number | null) => actions.settleWell(column, value, id);
  const known = assetId !== null;
  const Icon = known ? CircleCheck : CircleAlert;
  return (
    <li className="upload-well" aria-label={value}>
      <span className="row gap-0 state" data-state={known ? 'known' : 'open'}>
        <Icon size={16} aria-hidden />
      </span>
      <span className="upload-well-name line">
        <strong>{value}</strong>
        <span className="quiet numbers">{words.upload.inLine(line)}</span>
      </span>
      <WellBox
        label={w.standsFor(value)}
        assetId={assetId === null ? '' : String(assetId)}
        onChoose={(text) => settle(/^\d{1,15}$/.test(text) ? Number(text) : null)}
      />
      <span className="row gap-0 wrap">
        {!known && <span className="quiet">{w.found[found]}</span>}
        {offers.map((offer) => (
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

interface Offer {
  readonly assetId: number;
  readonly name: string;
  /** What tells it from others of the same name; null: there are none. */
  readonly note: string | null;
}

/** What the platform says may be meant; where it has nothing to say, the names that are alike. */
function offersFor({ candidates }: NameToSettle, likely: readonly ScopedWell[]): Offer[] {
  const some = candidates.length > 0 ? candidates : likely;
  const alike = new Set(some.map(({ name }) => name)).size < some.length;
  return some.slice(0, 4).map(({ assetId, name, apiNumber }) => ({
    assetId,
    name,
    note: alike ? (apiNumber ?? String(assetId)) : null,
  }));
}
