import { useRef, useState } from 'react';
import { localZone } from '../../../format/zoned.ts';
import { PopupAt } from '../../../ui/popup.tsx';
import { SelectBox } from '../../../ui/select-box.tsx';
import { ZoneCombo } from '../../../ui/zone-combo.tsx';
import { words } from '../../../words/words.ts';
import { isNamed, type TimeView } from './time-view.ts';
import type { WellZones } from './well-zones.ts';

export interface ZoneBoxProps {
  readonly value: TimeView;
  readonly wells: WellZones;
  /** Whether times can be left as the service gave them. */
  readonly raw?: boolean;
  readonly onChange: (value: TimeView) => void;
}

const say = words.results.zones;

interface ZoneOption {
  readonly id: TimeView | 'other';
  readonly text: string;
  readonly short?: string;
}

/** A zone by its place alone; the heads of columns say it in full. */
const placeOf = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

/** What is said of the zone of the wells, where there is not the one. */
function withoutZone(wells: Exclude<WellZones, { status: 'one' }>): string {
  if (wells.status === 'none') return wells.said === null ? say.none : say.strange(wells.said);
  return say[wells.status];
}

/** The zones to choose from: those of the wells by their names, where they lie in several. */
function optionsOf({ value, wells, raw = false }: Omit<ZoneBoxProps, 'onChange'>): ZoneOption[] {
  const several = wells.status === 'several' ? wells.zones.filter(({ zone }) => isNamed(zone)) : [];
  const options: ZoneOption[] = [
    { id: 'utc', text: say.utc },
    { id: 'local', text: say.local(localZone()), short: say.localShort },
    wells.status === 'one'
      ? { id: 'well', text: say.well(wells.zone), short: say.wellShort }
      : { id: 'well', text: withoutZone(wells), short: say.notWell },
    ...several.flatMap(({ zone, wells: names }) =>
      isNamed(zone) ? [{ id: zone, text: say.wells(zone, names), short: placeOf(zone) }] : [],
    ),
  ];
  if (isNamed(value) && !options.some(({ id }) => id === value))
    options.push({ id: value, text: value, short: placeOf(value) });
  options.push({ id: 'other', text: say.other });
  return raw ? [...options, { id: 'raw', text: say.raw }] : options;
}

/** In which zone times are shown. */
export function ZoneBox(props: ZoneBoxProps) {
  const { value, wells, onChange } = props;
  const place = useRef<HTMLSpanElement>(null);
  const [picking, pick] = useState(false);
  const choose = (id: ZoneOption['id']) => {
    // A zone that is not told is picked by whoever knows it.
    if (id === 'other' || (id === 'well' && wells.status !== 'one')) pick(true);
    else onChange(id);
  };
  return (
    <span ref={place}>
      <SelectBox<ZoneOption['id']>
        label={say.label}
        value={value}
        options={optionsOf(props)}
        onChange={choose}
      />
      {picking && (
        <PopupAt at={place} heading={say.pick} placement="bottom end" onClose={() => pick(false)}>
          {wells.status !== 'one' && <p className="field-note">{withoutZone(wells)}</p>}
          <ZoneCombo
            takesFocus
            label={say.zone}
            value={isNamed(value) ? value : null}
            placeholder="America/Chicago"
            nothing={say.nothing}
            onChoose={(zone) => {
              if (!isNamed(zone)) return;
              onChange(zone);
              pick(false);
            }}
          />
        </PopupAt>
      )}
    </span>
  );
}
