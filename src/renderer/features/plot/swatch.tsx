import { dashOf } from '../../ui/plot/index.ts';

export interface SwatchProps {
  /** The index of the color; null: that of texts. */
  readonly color: number | null;
  readonly dash: number;
  readonly isDot?: boolean;
  readonly isWide?: boolean;
}

export function Swatch({ color, dash, isDot = false, isWide = false }: SwatchProps) {
  const stroke = color === null ? 'var(--text-quiet)' : `var(--series-${color + 1})`;
  const pattern = dashOf(dash).join(' ');
  return (
    <svg
      className={isWide ? 'curve-head-line' : 'plot-swatch'}
      width={isWide ? '100%' : 22}
      height="8"
      aria-hidden
    >
      {isDot ? (
        <rect x="9" y="2" width="4" height="4" fill={stroke} />
      ) : (
        <line x1="0" y1="4" x2="100%" y2="4" stroke={stroke} strokeWidth="2" strokeDasharray={pattern} />
      )}
    </svg>
  );
}
