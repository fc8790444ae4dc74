import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import type { Box } from './filter.ts';

const emptyBox: BoxText = { south: '', north: '', west: '', east: '' };

/** A bounding box in degrees. It applies once all four edges are valid. */
export function BoxFields({ box, onBox }: { box: Box | null; onBox: (box: Box | null) => void }) {
  const [open, setOpen] = useState(box !== null);
  const [boxText, setBoxText] = useState<BoxText>(box ? textOf(box) : emptyBox);
  const [problem, setProblem] = useState<string | null>(null);
  const [shownBox, setShownBox] = useState(box);
  // The filter can be cleared elsewhere.
  if (box !== shownBox) {
    setShownBox(box);
    setBoxText(box ? textOf(box) : emptyBox);
    setProblem(null);
  }
  const w = words.wells.box;
  const apply = () => {
    const read = parseBox(boxText);
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
              value={boxText[edge]}
              onChange={(text) => setBoxText({ ...boxText, [edge]: text })}
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
/** The edges of a box as typed, in degrees. */
export type BoxText = Record<(typeof edges)[number], string>;

export const textOf = ({ south, north, west, east }: Box): BoxText => ({
  south: String(south),
  north: String(north),
  west: String(west),
  east: String(east),
});

/** The box, null if all edges are empty, or what is wrong with it. */
export function parseBox(typed: Readonly<BoxText>): Box | null | 'needsAll' | 'upside' {
  const texts = edges.map((edge) => typed[edge].trim().replace(',', '.'));
  if (texts.every((text) => text === '')) return null;
  const [south, north, west, east] = texts.map((text) => (text === '' ? Number.NaN : Number(text)));
  if (south === undefined || north === undefined || west === undefined || east === undefined)
    return 'needsAll';
  const inRange =
    [south, north].every((degrees) => Math.abs(degrees) <= 90) &&
    [west, east].every((degrees) => Math.abs(degrees) <= 180);
  if (!inRange) return 'needsAll';
  return south < north && west < east ? { south, north, west, east } : 'upside';
}
