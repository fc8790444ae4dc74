import { colorSteps, extentText, limitText, numberText } from '../../ui/plot/index.ts';
import { formatCount } from '../../format/numbers.ts';
import { Status } from '../../ui/status.tsx';
import { plotWords } from '../../words/plot.ts';
import type { Series } from './drawing.ts';
import type { OverlayReading } from './overlays/chart-marks.ts';
import type { Reading } from './reading.ts';
import { fitText } from './fit-texts.ts';
import { fieldName, type PlotNames } from './names.ts';
import type { Content, Drawn, Statistics } from './content.ts';
import { Swatch } from './swatch.tsx';
import { useEffect, useState } from 'react';
import { onThemeChange, tokenColors } from '../../ui/tokens.ts';
import type { Range } from './thin.ts';

export interface ReadoutProps {
  readonly content: Content;
  readonly drawn: Drawn | null;
  readonly series: readonly Series[];
  /** The values at the cursor; null: none. */
  readonly readings: readonly Reading[] | null;
  readonly statistics: Statistics | null;
  readonly names: PlotNames;
  /** The names of overlays at the cursor. */
  readonly overlays: readonly OverlayReading[];
  /** The position of the cursor, as text. */
  readonly at: string | null;
}

/** Number of points at the same place of the axis as another; dots have no order. */
export const repeatedOf = ({ choice, lines }: Content): number =>
  choice.kind === 'scatter' ? 0 : lines.reduce((sum, line) => sum + line.repeated, 0);

/** The legend of a plot, which is also a table: each line's value at the cursor, minimum, and maximum. */
export function Readout(props: ReadoutProps) {
  const { content, drawn, series, readings, statistics, names, overlays, at } = props;
  const { kind, crossplot } = content.choice;
  const isCrossplot = kind === 'scatter' && crossplot !== undefined;
  const tokens = content.lines.reduce((sum, line) => sum + line.tokens, 0);
  const points = content.lines.reduce((sum, line) => sum + line.count, 0);
  const repeated = repeatedOf(content);
  const exact = drawn?.lines.every((line) => line.exact) ?? true;
  const facts = [
    plotWords.line,
    `${plotWords.drawnPoints(points)}, ${exact ? plotWords.exact : plotWords.thinned}`,
    ...(tokens > 0 ? [plotWords.tokens(tokens)] : []),
    ...(repeated > 0 ? [plotWords.repeated(repeated)] : []),
  ].join(' · ');
  return (
    <div className="plot-readout">
      {/* oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
      <section className="readout-table" aria-label={plotWords.values} tabIndex={0}>
        <table className="numbers" aria-label={plotWords.values}>
          <thead>
            <tr>
              <th scope="col" title={facts}>
                {facts}
              </th>
              <th scope="col" className="readout-number">
                {at ?? plotWords.atCursor}
              </th>
              <th scope="col" className="readout-number readout-extent">
                {plotWords.lowest}
              </th>
              <th scope="col" className="readout-number readout-extent">
                {plotWords.highest}
              </th>
              <th scope="col" className="readout-number readout-points">
                {plotWords.points}
              </th>
            </tr>
          </thead>
          <tbody>
            {series.map((series, index) => (
              <Row
                key={series.name}
                series={series}
                facts={content.lines[index]}
                seen={drawn?.lines[index]?.values ?? null}
                reading={readings?.find((reading) => reading.series === series) ?? null}
                dots={content.choice.kind === 'scatter' && !content.isPath}
              />
            ))}
            {isCrossplot &&
              crossplot.hasRegression &&
              statistics?.fits.map((fit, index) => (
                <tr key={`fit ${series[index]?.name}`}>
                  <th scope="row">{plotWords.crossplot.regressionOf(series[index]?.name ?? '')}</th>
                  <td className="readout-now" colSpan={4}>
                    {fit ? fitText(fit, statistics.log) : plotWords.crossplot.noFit}
                  </td>
                </tr>
              ))}
            {isCrossplot && crossplot.color !== null && content.colorRange && (
              <tr>
                <th scope="row">{plotWords.crossplot.coloredBy(fieldName(crossplot.color, names))}</th>
                <td colSpan={4}>
                  <ColorLegend range={content.colorRange} />
                </td>
              </tr>
            )}
            {overlays.map(({ field, names: shown }) => (
              <tr key={field}>
                <th scope="row">{field.replace(/^data\./, '')}</th>
                <td className="readout-now" colSpan={4}>
                  {shown.join(', ') || '–'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Status className="visually-hidden">
        {readings && at !== null ? inWords(readings, overlays, at) : ''}
      </Status>
    </div>
  );
}

interface RowProps {
  readonly series: Series;
  readonly facts: Content['lines'][number] | undefined;
  readonly seen: Drawn['lines'][number]['values'];
  readonly reading: Reading | null;
  readonly dots: boolean;
}

function Row({ series, facts, seen, reading, dots }: RowProps) {
  const value = reading ? (reading.value === null ? plotWords.noValue : numberText(reading.value)) : '–';
  return (
    <tr>
      <th scope="row">
        <Swatch color={series.color} dash={series.dash} isDot={dots} />
        {series.name}
      </th>
      <td className="readout-number readout-now">{value}</td>
      <td className="readout-number readout-extent">{seen ? extentText(seen.from) : '–'}</td>
      <td className="readout-number readout-extent">{seen ? extentText(seen.to) : '–'}</td>
      <td className="readout-number readout-points">{formatCount(facts?.count ?? 0)}</td>
    </tr>
  );
}

function inWords(readings: readonly Reading[], overlays: readonly OverlayReading[], at: string): string {
  const marks = overlays.flatMap(({ names }) => names);
  const values = readings.map(({ series, value }) =>
    plotWords.one(series.name, value === null ? plotWords.noValue : numberText(value)),
  );
  return plotWords.read(at, [...marks, ...values].join('; '));
}

/** The colors of values, with the lowest and the highest. */
function ColorLegend({ range }: { readonly range: Range }) {
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
