import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import { boxIn, edges, textOf, type TypedBox } from './box.ts';
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
