import {
  Ellipsis,
  FileDown,
  ImageDown,
  type LucideIcon,
  Maximize,
  Printer,
  TextCursorInput,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useAppState } from '../../contexts.ts';
import { useTask } from '../../state/use-task.ts';
import { Button } from '../../ui/button.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { Status } from '../../ui/status.tsx';
import { Failed } from '../../ui/view-states.tsx';
import { plotWords } from '../../words/plot.ts';
import type { CsvHeads } from './csv.ts';
import { zoomedBy } from './moving.ts';
import { alongOf, groupNames, type PlotNames } from './names.ts';
import type { PlotBarProps } from './plot-bar.tsx';
import { dataName, pictureName, savePicture } from './saving.ts';
import { PrintForm } from './print-page.tsx';
import { seriesOf } from './drawing.ts';
import { seriesColors } from '../../ui/plot/index.ts';
import type { Content, Drawn } from './content.ts';

/** The commands of a plot: zoom, the range for the query, and files. */
export function PlotTools(props: PlotBarProps & { isMenu: boolean; hasText: boolean }) {
  const { scene, planScene, choice, source, zone, title, names, save } = props;
  const { queryRange, overlays, overlayOn, connection, isMenu, hasText } = props;
  const drawn = useStore(scene.store, (state) => state.drawn);
  const connectionName = useAppState('connections', ({ current }) =>
    current?.id === connection ? current.name : undefined,
  );
  const zoom = useStore(scene.store, (state) => state.part);
  const pictureOfDrawn = (of: Drawn, print: boolean) =>
    savePicture({
      drawn: of,
      plan: of.content.choice.plan ? planScene.store.getState().drawn : null,
      fields: source.fields,
      zone,
      names,
      title,
      overlays: overlays.loaded,
      areMarksAcross: overlayOn?.isAcross ?? false,
      statistics: scene.store.getState().statistics,
      print,
      askedWells: props.askedWells,
    });
  const saving = useTask(async (what: string) => {
    if (what === 'csv') {
      const along = alongOf({ ...choice, align: 'recorded' }, source.fields, zone);
      const blob = await scene.actions.csv((content) => csvHeads(content, along.show === 'time', names));
      if (!blob) return '';
      const { content } = scene.store.getState();
      const name = dataName(title, content.status === 'loaded' ? content.value.part : source.part);
      await save(name, blob);
      return name;
    }
    if (!drawn) return '';
    await save(pictureName(title), await pictureOfDrawn(drawn, what === 'print'));
    return pictureName(title);
  });
  const place = useRef<HTMLSpanElement>(null);
  const [printed, setPrinted] = useState<Drawn | null>(null);
  const zoomBy = (by: number) => {
    if (drawn) scene.actions.zoom(zoomedBy(drawn, drawn.content, { do: 'zoom', by }, null));
  };
  const isRange =
    queryRange?.field === choice.x && (choice.kind === 'scatter' || choice.align === 'recorded');
  const tools: Tool[] = [
    ...(isRange && zoom
      ? [
          {
            id: 'range',
            text: plotWords.rangeToQuery,
            icon: TextCursorInput,
            isText: hasText,
            act: () => queryRange.use(zoom.x),
          },
        ]
      : []),
    { id: 'in', text: plotWords.zoomIn, icon: ZoomIn, act: () => zoomBy(1 / 1.5) },
    { id: 'out', text: plotWords.zoomOut, icon: ZoomOut, isDisabled: zoom === null, act: () => zoomBy(1.5) },
    {
      id: 'reset',
      text: plotWords.reset,
      icon: Maximize,
      isDisabled: zoom === null,
      act: () => scene.actions.zoom(null),
    },
  ];
  const files = [
    { id: 'theme', text: plotWords.pictures.theme, icon: ImageDown },
    { id: 'print', text: plotWords.pictures.print, icon: ImageDown },
    { id: 'page', text: plotWords.page.button, icon: Printer },
    { id: 'csv', text: plotWords.csv, icon: FileDown },
  ];
  const select = (id: string) => {
    const tool = tools.find((item) => item.id === id);
    if (tool) tool.act();
    else if (id === 'page') setPrinted(drawn);
    else void saving.start(id);
  };
  return (
    <span className="plot-tools" ref={place}>
      {isMenu ? (
        <MenuButton
          label={plotWords.more}
          icon={Ellipsis}
          items={[...tools.filter(({ isDisabled }) => !isDisabled), ...files]}
          onSelect={select}
        />
      ) : (
        <>
          {tools.map(({ id, text, icon, isDisabled = false, isText = false, act }) => (
            <Button
              key={id}
              variant="quiet"
              icon={icon}
              isDisabled={isDisabled}
              {...(isText ? {} : { 'aria-label': text })}
              onPress={act}
            >
              {isText ? text : undefined}
            </Button>
          ))}
          <MenuButton
            label={plotWords.picture}
            icon={ImageDown}
            items={files.filter(({ id }) => id !== 'csv')}
            onSelect={select}
          />
          <Button
            variant="quiet"
            icon={FileDown}
            aria-label={plotWords.csv}
            onPress={() => void saving.start('csv')}
          />
        </>
      )}
      <Status className="visually-hidden">{saving.value ? plotWords.saved(saving.value) : ''}</Status>
      {saving.error && <Failed error={saving.error} />}
      {printed && (
        <PrintForm
          at={place}
          onClose={() => setPrinted(null)}
          picture={() => pictureOfDrawn(printed, true)}
          drawn={printed}
          series={seriesOf(printed.content, names, seriesColors)}
          source={plotWords.page.source(title, connectionName ?? connection)}
          name={pictureName(title).replace(/\.png$/, '')}
        />
      )}
    </span>
  );
}

interface Tool {
  readonly id: string;
  readonly text: string;
  readonly icon: LucideIcon;
  readonly isDisabled?: boolean;
  /** Whether the button shows its text. */
  readonly isText?: boolean;
  readonly act: () => void;
}

/** The headings of a plot's data: the paths of the fields, for other programs. */
function csvHeads({ choice, groups }: Content, time: boolean, names: PlotNames): CsvHeads {
  // They are as stored: where the plot shows another unit, the heading says so.
  const headOf = (field: string): string => {
    const unit = names.storedUnitOf?.(field);
    return unit === undefined ? field : plotWords.unit(field, unit);
  };
  return {
    x: headOf(choice.x),
    y: choice.y.map(headOf),
    group: groups.length > 1 ? plotWords.wellHead : undefined,
    groups: groupNames(groups, names),
    time,
  };
}
