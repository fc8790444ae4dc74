import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import type { Box } from './filter.ts';

const nothing: TypedBox = { south: '', north: '', west: '', east: '' };

/** A box on the map, for whoever asks for it: it holds when all four edges do. */
export function BoxFields({ box, onBox }: { box: Box | null; onBox: (box: Box | null) => void }) {
  const [open, setOpen] = useState(box !== null);
  const [typed, setTyped] = useState<TypedBox>(box ? textOf(box) : nothing);
  const [problem, setProblem] = useState<string | null>(null);
  const w = words.wells.box;
  const apply = () => {
    const read = boxIn(typed);
    setProblem(typeof read === 'string' ? w[read] : null);
    if (typeof read !== 'string') onBox(read);
  };
  return (
    <div className="filters-wide">
      <Button
        variant="quiet"
        className="box-open"
        icon={open ? ChevronDown : ChevronRight}
        aria-expanded={open}
        onPress={() => setOpen(!open)}
      >
        {w.open}
      </Button>
      {open && (
        <div className="box-fields">
          {edges.map((edge) => (
            <TextField
              key={edge}
              label={w[edge]}
              name={edge}
              inputMode="numeric"
              value={typed[edge]}
              onChange={(text) => setTyped({ ...typed, [edge]: text })}
              problem={problem !== null && edge === 'south' ? problem : undefined}
            />
          ))}
          <Button onPress={apply}>{w.apply}</Button>
        </div>
      )}
    </div>
  );
}

export const edges = ['south', 'north', 'west', 'east'] as const;
/** The edges of a box as they are typed, in degrees. */
export type TypedBox = Record<(typeof edges)[number], string>;

export const textOf = ({ south, north, west, east }: Box): TypedBox => ({
  south: String(south),
  north: String(north),
  west: String(west),
  east: String(east),
});

/** The box, null when no edge is given, or what is wrong with it. */
export function boxIn(typed: Readonly<TypedBox>): Box | null | 'needsAll' | 'upside' {
  const given = edges.map((edge) => typed[edge].trim().replace(',', '.'));
  if (given.every((text) => text === '')) return null;
  const [south, north, west, east] = given.map((text) => (text === '' ? Number.NaN : Number(text)));
  if (south === undefined || north === undefined || west === undefined || east === undefined)
    return 'needsAll';
  const inRange =
    [south, north].every((degrees) => Math.abs(degrees) <= 90) &&
    [west, east].every((degrees) => Math.abs(degrees) <= 180);
  if (!inRange) return 'needsAll';
  return south < north && west < east ? { south, north, west, east } : 'upside';
}
