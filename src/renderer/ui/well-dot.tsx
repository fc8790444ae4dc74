import { wellColor } from './well-color.ts';

/** A dot in the color of a well, beside its name; nothing for a well without an asset id. */
export function WellDot({ assetId }: { assetId: number | string | null }) {
  const color = assetId === null ? null : wellColor(assetId);
  if (color === null) return null;
  return <span className="well-dot" style={{ backgroundColor: `var(--series-${color + 1})` }} aria-hidden />;
}
