import { useEffect, useState } from 'react';
import { colorSteps, limitText } from '../../ui/plot/index.ts';
import { onThemeChange, tokenColors } from '../../ui/tokens.ts';
import type { Range } from './thin.ts';

/** The colors of values, with the lowest and the highest. */
export function ColorLegend({ range }: { readonly range: Range }) {
  const [isDark, setDark] = useState(() => tokenColors().dark);
  useEffect(() => onThemeChange(() => setDark(tokenColors().dark)), []);
  return (
    <span className="color-legend">
      {limitText(range.from)}
      <span
        className="color-legend-bar"
        style={{ backgroundImage: `linear-gradient(to right, ${colorSteps(isDark).join(', ')})` }}
      />
      {limitText(range.to)}
    </span>
  );
}
