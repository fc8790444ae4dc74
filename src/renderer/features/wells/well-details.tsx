import { Info } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Well } from '../../../shared/wells.ts';
import { Button } from '../../ui/button.tsx';
import { Popup } from '../../ui/popup.tsx';
import { words } from '../../words/words.ts';

/** Everything that is known of a well, its two ids told apart. */
export function WellDetails({ well }: { well: Well }) {
  const w = words.wells;
  return (
    <Popup
      heading={well.name}
      placement="right top"
      trigger={<Button variant="quiet" className="pick-more" icon={Info} aria-label={w.details(well.name)} />}
    >
      {() => (
        <dl className="facts numbers">
          <Fact name={w.assetId} note={w.assetIdNote}>
            {well.assetId ?? w.noAssetNote}
          </Fact>
          <Fact name={w.platformId} note={w.platformIdNote}>
            {well.platformId}
          </Fact>
          <Fact name={w.apiNumber}>{well.apiNumber}</Fact>
          <Fact name={w.identifier}>{well.identifier}</Fact>
          <Fact name={w.status}>{well.status}</Fact>
          <Fact name={w.state}>{well.state}</Fact>
          <Fact name={w.area}>{well.area}</Fact>
          <Fact name={w.company}>{well.companyId}</Fact>
          <Fact name={w.lastActive}>{well.lastActiveAt}</Fact>
        </dl>
      )}
    </Popup>
  );
}

function Fact({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
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
