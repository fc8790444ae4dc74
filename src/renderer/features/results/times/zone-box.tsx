import { useRef } from 'react';
import { localZone } from '../../../format/zoned.ts';
import { PopupAt } from '../../../ui/popup.tsx';
import { SelectBox } from '../../../ui/select-box.tsx';
import { ZoneCombo } from '../../../ui/zone-combo.tsx';
import { words } from '../../../words/words.ts';
import { isNamedZone, type TimeView, type WellZones } from '../../../format/time-view.ts';

interface ZoneBoxProps {
  readonly value: TimeView;
  readonly wells: WellZones;
  /** Whether raw times can be selected. */
  readonly raw?: boolean;
  readonly onChange: (value: TimeView) => void;
  /** Whether the form for another zone is open. */
  readonly isPicking: boolean;
  readonly onPick: (isPicking: boolean) => void;
}

const w = words.results.zones;

interface ZoneOption {
  readonly id: TimeView | 'other';
  readonly text: string;
  readonly shortText?: string;
}

/** The zone's city; column headers have the full name. */
const shortZoneName = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

/** Why the wells have no common zone. */
function missingZoneText(wells: Exclude<WellZones, { status: 'one' }>): string {
  if (wells.status === 'none') return wells.zone === null ? w.none : w.strange(wells.zone);
  return w[wells.status];
}

/** The zones to select from, including those of the wells if they have several. */
function zoneOptions({
  value,
  wells,
  raw = false,
}: Pick<ZoneBoxProps, 'value' | 'wells' | 'raw'>): ZoneOption[] {
  const several = wells.status === 'several' ? wells.zones : [];
  const options: ZoneOption[] = [
    { id: 'utc', text: w.utc },
    { id: 'local', text: w.local(localZone()), shortText: w.localShort },
    wells.status === 'one'
      ? { id: 'well', text: w.well(wells.zone), shortText: w.wellShort }
      : { id: 'well', text: missingZoneText(wells), shortText: w.notWell },
    ...several.flatMap(({ zone, wells: names }) =>
      isNamedZone(zone) ? [{ id: zone, text: w.wells(zone, names), shortText: shortZoneName(zone) }] : [],
    ),
  ];
  if (isNamedZone(value) && !options.some(({ id }) => id === value))
    options.push({ id: value, text: value, shortText: shortZoneName(value) });
  options.push({ id: 'other', text: w.other });
  return raw ? [...options, { id: 'raw', text: w.raw }] : options;
}

export function ZoneBox(props: ZoneBoxProps) {
  const { value, wells, onChange, isPicking, onPick } = props;
  const place = useRef<HTMLSpanElement>(null);
  const choose = (id: ZoneOption['id']) => {
    // Without a known zone, the user selects one.
    if (id === 'other' || (id === 'well' && wells.status !== 'one')) onPick(true);
    else onChange(id);
  };
  return (
    <span ref={place}>
      <SelectBox<ZoneOption['id']>
        label={w.label}
        value={value}
        options={zoneOptions(props)}
        onChange={choose}
      />
      {isPicking && (
        <PopupAt at={place} heading={w.pick} placement="bottom end" onClose={() => onPick(false)}>
          {wells.status !== 'one' && <p className="field-note">{missingZoneText(wells)}</p>}
          <ZoneCombo
            hasInitialFocus
            label={w.zone}
            value={isNamedZone(value) ? value : null}
            placeholder="America/Chicago"
            emptyText={w.nothing}
            onChoose={(zone) => {
              if (!isNamedZone(zone)) return;
              onChange(zone);
              onPick(false);
            }}
          />
        </PopupAt>
      )}
    </span>
  );
}
