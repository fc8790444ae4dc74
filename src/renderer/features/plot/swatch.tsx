import { seriesDashes } from '../../ui/plot/index.ts';

/** How a line is drawn, small. */
export function Swatch({ color, dash, dot }: { color: number; dash: number; dot: boolean }) {
  const stroke = `var(--series-${color + 1})`;
  const pattern = (seriesDashes[dash % seriesDashes.length] ?? []).join(' ');
  return (
    <svg className="plot-swatch" width="22" height="8" aria-hidden>
      {dot ? (
        <rect x="9" y="2" width="4" height="4" fill={stroke} />
      ) : (
        <line x1="0" y1="4" x2="22" y2="4" stroke={stroke} strokeWidth="2" strokeDasharray={pattern} />
      )}
    </svg>
  );
}
