import { type ChartSpec, pictureOf, seriesColors } from '../../ui/plot/index.ts';
import { titleName } from '../../format/file-name.ts';
import { plotWords } from '../../words/plot.ts';
import { words } from '../../words/words.ts';
import { chartsOf, seriesOf } from './drawing.ts';
import { alongLabel, alongOf, fieldName, groupsShown, plotFacts, type PlotNames } from './names.ts';
import { chartMarks, overlayTexts, type LoadedOverlay, wellsOf } from './overlays/chart-marks.ts';
import { fitTexts } from './fit-texts.ts';
import { legendOf, wellLegend } from './reading.ts';
import type { Content, Drawn, Statistics } from './content.ts';
import type { PlotField } from './source.ts';

export interface PictureRequest {
  readonly drawn: Drawn;
  /** The plan beside the section of a wellpath; null: there is none. */
  readonly plan: Drawn | null;
  readonly fields: readonly PlotField[];
  /** An IANA name. */
  readonly zone: string;
  readonly names: PlotNames;
  readonly title: string;
  readonly overlays: readonly LoadedOverlay[];
  readonly areMarksAcross: boolean;
  readonly statistics: Statistics | null;
  /** Dark on white in every theme. */
  readonly print: boolean;
  /** The wells of the query, by their ids as text. */
  readonly requestedWells: readonly string[];
}

const wide = { width: 1200, height: 520 };
const tall = { width: 1000, height: 1200 };
const panels = (count: number) => ({ width: 1200, height: Math.max(520, 40 + count * 150) });

/** A picture of the visible range, large enough for a report. */
export function savePicture(request: PictureRequest): Promise<Blob> {
  const { drawn, plan, fields, zone, names, overlays, areMarksAcross, statistics, print } = request;
  const { choice, groups, isPath } = drawn.content;
  const facts = plotFacts(drawn, fields, zone, names, request.requestedWells);
  const { along, label } = facts;
  const series = seriesOf(drawn.content, names, seriesColors);
  const marks = chartMarks(overlays, wellsOf(drawn.content), seriesColors);
  const charts = [
    ...chartsOf(drawn, series, { along, label, names, marks, areMarksAcross, statistics }),
    ...(plan ? planCharts(plan, request) : []),
  ];
  const many = groups.length > 1;
  return pictureOf(charts, {
    ...(choice.kind === 'tracks' ? tall : choice.kind === 'panels' ? panels(charts.length) : wide),
    ...pictureTexts(request, facts),
    legend:
      choice.kind === 'panels'
        ? many
          ? wellLegend(series, drawn.content, names)
          : []
        : choice.kind === 'tracks' && !many
          ? []
          : legendOf(series, choice.kind === 'scatter' && !isPath ? 'dots' : 'lines'),
    print,
  });
}

/** The title and subtitle of a picture. What the plot doesn't show comes first: a long subtitle is cut. */
export function pictureTexts(
  {
    drawn: { content },
    names,
    title,
    overlays,
    statistics,
  }: Pick<PictureRequest, 'drawn' | 'names' | 'title' | 'overlays' | 'statistics'>,
  { wells, range, lacking }: Pick<ReturnType<typeof plotFacts>, 'wells' | 'range' | 'lacking'>,
): { readonly title: string; readonly subtitle: string } {
  const { choice, part, steps } = content;
  // Tracks have the names of their fields in their headings.
  const fieldNames = choice.kind === 'tracks' ? [] : choice.y.map((field) => fieldName(field, names));
  return {
    title: plotWords.title(wells, title, fieldNames.join(', ')),
    subtitle: [
      ...lacking,
      ...(part ? [words.results.partName(part)] : []),
      ...(steps === undefined ? [] : [steps]),
      range,
      ...overlayTexts(overlays),
      ...fitTexts(statistics, choice),
    ].join(' · '),
  };
}

/** The plan has the colors of the section. */
function planCharts(plan: Drawn, { fields, zone, names }: PictureRequest): ChartSpec[] {
  const along = alongOf(plan.content.choice, fields, zone);
  const label = alongLabel(plan.content, along, names);
  return chartsOf(plan, seriesOf(plan.content, names, seriesColors), { along, label, names });
}

export const pictureName = (title: string): string => `${titleName(title)}-plot.png`;
/** The name of a file, which says what part of the matching rows and wells it has, or of which steps it has extremes. */
export function dataName(
  title: string,
  content: Pick<Content, 'part' | 'steps' | 'groups' | 'groupsLeft'>,
): string {
  const { part, steps } = content;
  const about = [part ? words.results.partName(part) : steps, ...groupsShown(content)];
  return `${[`${titleName(title)}-plot`, ...about.filter((text) => text !== undefined)].join(', ')}.csv`;
}
