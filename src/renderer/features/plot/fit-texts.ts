import type { PlotChoice } from '../../../shared/tabs/plot.ts';
import { plotWords } from '../../words/plot.ts';
import { equationOf, type Fit, type LogAxes } from './regression.ts';
import type { Statistics } from './content.ts';

export const fitText = (fit: Fit, log: LogAxes): string =>
  plotWords.crossplot.fit(equationOf(fit, log), fit.explained.toFixed(4), fit.count);

/** The regressions of a crossplot as texts, one for each line that has one; none if they aren’t shown. */
export const fitTexts = (statistics: Statistics | null, { kind, crossplot }: PlotChoice): string[] =>
  statistics && kind === 'scatter' && crossplot?.hasRegression
    ? statistics.fits.flatMap((fit) => (fit ? [fitText(fit, statistics.log)] : []))
    : [];
