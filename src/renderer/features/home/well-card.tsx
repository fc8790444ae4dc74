import { Radio } from 'lucide-react';
import { memo, useId, useMemo } from 'react';
import type { ScopedWell } from '../../../shared/wells/wells.ts';
import { useSession } from '../../contexts.ts';
import { formatDepth } from '../../format/numbers.ts';
import { formatAgo } from '../../format/times.ts';
import { useTimeOfDay } from '../../state/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { WellDot } from '../../ui/well-dot.tsx';
import { words } from '../../words/words.ts';
import { openLiveOfWell } from '../live/live-kind.ts';
import { agoText } from '../live/newest-text.ts';
import { WellNotes } from '../notes/notes.tsx';
import { useShownUnits } from '../plot/use-names.ts';
import { openDataset } from '../query/open-query.ts';
import { cellConverter } from '../records/shown-cells.ts';
import { openWell } from '../sidebar/open-well.ts';
import { rigState, valueOnCard, type FieldValue, type NewestRecord } from './newest-records.ts';

const w = words.home;

interface WellCardProps {
  readonly well: ScopedWell;
  /** Null: none was found, or it isn't known yet. */
  readonly newest: NewestRecord | null;
  /** Whether it can't be known whether there is a record. */
  readonly isUnknown: boolean;
  readonly isReading: boolean;
}

/** A well with its newest record; opens its records, or follows them. Rendered again only when these change. */
export const WellCard = memo(function WellCard({ well, newest, isUnknown, isReading }: WellCardProps) {
  const session = useSession();
  const facts = useId();
  const open = () =>
    newest
      ? void openDataset(session, newest.dataset, { wells: [well], isPreview: true })
      : void openWell(session, well);
  const { lastActiveAt, status } = well;
  return (
    <li className="well-card stack gap-1 box pad-y-2 pad-x-3">
      <div className="row between">
        <Button
          variant="quiet"
          className="well-card-open min-0 bold"
          aria-label={w.card(well.name)}
          aria-describedby={facts}
          onPress={open}
        >
          <WellDot assetId={well.assetId} />
          <span className="ellipsis" title={well.name}>
            {well.name}
          </span>
        </Button>
        {newest && (
          <Button
            variant="quiet"
            className="well-card-live flex-none"
            icon={Radio}
            aria-label={w.follow(well.name)}
            onPress={() => openLiveOfWell(session, newest.dataset, well)}
          >
            {w.live}
          </Button>
        )}
      </div>
      <div id={facts}>
        {newest ? (
          <RecordFacts newest={newest} />
        ) : (
          <p className="quiet">
            {isUnknown ? w.notAnswered : isReading ? w.reading : w.noRecord}
            {!isReading && <Activity at={lastActiveAt} />}
          </p>
        )}
        {!newest && status !== null && <p className="quiet small">{status}</p>}
      </div>
      <WellNotes well={well} most={2} />
    </li>
  );
});

// Only the ages are rendered each second.
function Activity({ at }: { at: string | null }) {
  const activity = formatAgo(at ?? '', useTimeOfDay(1000));
  return activity !== null && ` · ${w.activeAgo(activity)}`;
}

const Age = ({ at }: { at: number }) => agoText(at, useTimeOfDay(1000));

function RecordFacts({ newest }: { newest: NewestRecord }) {
  const { connection } = useSession();
  const { data, dataset, at } = newest;
  const fields = useMemo(() => Object.keys(data).map((name) => `data.${name}`), [data]);
  const { names, changes } = useShownUnits(connection, dataset, fields);
  const shown = (fieldValue: FieldValue | null): string | null => {
    if (!fieldValue) return null;
    const value = cellConverter(changes, fieldValue.field)?.(fieldValue.value) ?? fieldValue.value;
    return [formatDepth(value), names.unitOf(fieldValue.field)]
      .filter((part) => part !== undefined)
      .join(' ');
  };
  const channelName = (field: string) => names.channelOf?.(field)?.name;
  const rows = [
    { name: w.depth, text: shown(valueOnCard(data, 'depth', channelName)), missing: w.noDepth },
    { name: w.rop, text: shown(valueOnCard(data, 'rop', channelName)), missing: w.noRop },
    { name: w.state, text: rigState(data), missing: w.noState },
    { name: w.age, text: <Age at={at} />, missing: '' },
  ];
  return (
    <dl>
      {rows.map(({ name, text, missing }) => (
        <div key={name} className="row items-stretch gap-3 between">
          <dt className="quiet">{name}</dt>
          <dd className={text === null ? 'min-0 end quiet' : 'min-0 end numbers'}>{text ?? missing}</dd>
        </div>
      ))}
    </dl>
  );
}
