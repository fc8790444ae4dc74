import { Info, Pin, PinOff } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import type { Well } from '../../../shared/wells/wells.ts';
import { minuteMs, useTimeOfDay } from '../../state/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Popup } from '../../ui/popup.tsx';
import { useSession, useSessionState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { groups } from '../wells/directory.ts';
import { factFields, factText } from '../wells/facts.ts';
import { hasAssetId } from '../../../shared/wells/scope.ts';
import { WellData } from './well-data.tsx';

/** All fields of a well, both of its ids, and a button to pin it. */
export function WellDetails({ well }: { well: Well }) {
  return (
    <Popup
      heading={well.name}
      placement="right top"
      trigger={
        <Button
          variant="quiet"
          className="pick-more"
          icon={Info}
          aria-label={words.wells.details(well.name)}
        />
      }
    >
      {(close) => <Details well={well} onOpened={close} />}
    </Popup>
  );
}

function Details({ well, onOpened }: { well: Well; onOpened: () => void }) {
  const directory = useSessionState('directory', (state) => state);
  const pinned = useSessionState('wells', (state) => well.assetId !== null && state.pinned.has(well.assetId));
  const { pin } = useSession().wells.actions;
  const { loadGroups } = useSession().directory.actions;
  const now = useTimeOfDay(minuteMs);
  useEffect(() => loadGroups(groups), [loadGroups]);
  const w = words.wells;
  return (
    <>
      <dl className="facts numbers">
        <Fact name={w.fields.assetId} note={well.assetId === null ? undefined : w.assetIdNote}>
          {well.assetId ?? w.noAssetNote}
        </Fact>
        <Fact name={w.fields.platformId} note={w.platformIdNote}>
          {well.platformId}
        </Fact>
        {factFields
          .filter((field) => field !== 'assetId' && field !== 'platformId')
          .map((field) => (
            <Fact key={field} name={w.fields[field]}>
              {factText(well, field, directory, now)}
            </Fact>
          ))}
      </dl>
      {hasAssetId(well) && <WellData well={well} onOpened={onOpened} />}
      {hasAssetId(well) && (
        <div className="popup-actions row wrap">
          <Button icon={pinned ? PinOff : Pin} onPress={() => pin(well, !pinned)}>
            {pinned ? w.unpin : w.pin}
          </Button>
        </div>
      )}
    </>
  );
}

function Fact({ name, note, children }: { name: string; note?: string | undefined; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {children ?? <span className="quiet">{words.unknown}</span>}
        {note !== undefined && <span className="quiet"> ({note})</span>}
      </dd>
    </>
  );
}
