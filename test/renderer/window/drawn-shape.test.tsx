import { createRoot } from 'react-dom/client';
import { expect, it } from 'vitest';
import type { ResultShape } from '../../../src/renderer/features/records/result.ts';
import type { Records } from '../../../src/renderer/features/records/records.ts';
import { useDrawnShape } from '../../../src/renderer/features/results/use-records.ts';

it('a plot beside a table that is scrolled is drawn a few times, and then with all rows', async () => {
  const listeners = new Set<(shape: ResultShape) => void>();
  const columns: ResultShape['columns'] = [];
  let shape: ResultShape = {
    rows: 143_000,
    knownRows: 143_000,
    isComplete: true,
    held: 1000,
    gaps: 0,
    bytes: 0,
    columns,
  };
  const records = {
    shape: () => shape,
    onGrow(listener: (next: ResultShape) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  } as unknown as Records;
  const drawn = new Set<number>();
  function Plot() {
    const { held } = useDrawnShape(records, false);
    drawn.add(held);
    return <p>{held}</p>;
  }
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(<Plot />);
  await expect.poll(() => listeners.size).toBeGreaterThan(0);
  for (let page = 0; page < 20; page += 1) {
    shape = { ...shape, held: shape.held + 1000 };
    for (const listener of listeners) listener(shape);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await expect.poll(() => [...drawn].at(-1)).toBe(21_000);
  expect(drawn.size).toBeLessThanOrEqual(6);
  root.unmount();
});
