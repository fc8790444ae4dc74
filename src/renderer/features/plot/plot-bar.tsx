import { FileDown, ImageDown, Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { maxPlotFields, type PlotChoice, plotKinds } from '../../../shared/tabs/plot.ts';
import { Button } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { OptionGroup } from '../../ui/option-group.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { Failed } from '../../ui/view-states.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { SelectBox } from '../../ui/select-box.tsx';
import { Status } from '../../ui/status.tsx';
import { useTask } from '../../state/use-task.ts';
import { words } from '../../words/words.ts';
import { alongFields, inKind, shownFields } from './first-choice.ts';
import { zoomedBy } from './moving.ts';
import { alongOf, fieldName, groupName, type PlotNames } from './names.ts';
import type { PlotViewProps } from './plot-view.tsx';
import { dataName, pictureName, savePicture } from './saving.ts';
import { isTime } from './source.ts';
import type { Content, Scene } from './scene.ts';
import type { CsvHeads } from './csv.ts';

export interface PlotBarProps extends PlotViewProps {
  readonly choice: PlotChoice;
  readonly scene: Scene;
}

const kinds = plotKinds.map((id) => ({ id, text: words.plot.kinds[id] }));
const aligns = (['recorded', 'elapsed'] as const).map((id) => ({ id, text: words.plot.aligns[id] }));

/** The fields and kind of a plot, and its commands. */
export function PlotBar(props: PlotBarProps) {
  const { plot, choice, type, source } = props;
  return (
    <div className="plot-bar">
      <div className="plot-bar-row">
        <OptionGroup
          label={words.plot.kind}
          layout="line"
          value={choice.kind}
          options={kinds}
          onChange={(kind) => plot.actions.choose(inKind(kind, choice, type, source.fields))}
        />
        <AlongBox {...props} />
        <AlignBox {...props} />
      </div>
      <div className="plot-bar-row">
        <FieldPicker {...props} />
        <Tools {...props} />
      </div>
    </div>
  );
}

function AlongBox({ plot, choice, source, type, names }: PlotBarProps) {
  const options = useMemo(
    () =>
      alongFields(type, source.fields).map((field) => ({
        id: field.id,
        text: isTime(field) ? field.id : fieldName(field.id, names),
      })),
    [type, source, names],
  );
  const name = words.plot.along[choice.kind];
  return (
    <span className="plot-along">
      <span className="quiet" aria-hidden>
        {name}
      </span>
      <SelectBox
        label={name}
        value={choice.x}
        options={options}
        onChange={(x) => plot.actions.choose({ ...choice, x })}
      />
    </span>
  );
}

/** Only for several wells in one plot. */
function AlignBox({ plot, choice, scene }: PlotBarProps) {
  const many = useStore(
    scene.store,
    ({ content }) => content.status === 'loaded' && content.value.groups.length > 1,
  );
  if (!many || choice.kind === 'scatter') return null;
  return (
    <span className="plot-along">
      <span className="quiet" aria-hidden>
        {words.plot.align}
      </span>
      <SelectBox
        label={words.plot.align}
        value={choice.align}
        options={aligns}
        onChange={(align) => plot.actions.choose({ ...choice, align })}
      />
    </span>
  );
}

function FieldPicker({ plot, choice, source, names }: PlotBarProps) {
  const left = useMemo(
    () =>
      shownFields(source.fields)
        .filter(({ id }) => !choice.y.includes(id))
        .map(({ id }) => ({ id, text: fieldName(id, names) })),
    [source, choice.y, names],
  );
  const canAddField = choice.y.length < maxPlotFields;
  return (
    <>
      <Chips
        label={words.plot.fields}
        chips={choice.y.map((id) => ({ id, text: fieldName(id, names) }))}
        onRemove={(ids) => plot.actions.remove(choice, new Set([...ids].map(String)))}
      />
      {canAddField ? (
        <ComboBox
          className="plot-add"
          label={words.plot.addField}
          isLabelHidden
          placeholder={words.plot.addField}
          value={null}
          text=""
          find={(typed) => {
            const wanted = typed.trim().toLowerCase();
            return left.filter(({ text }) => text.toLowerCase().includes(wanted));
          }}
          onSelect={(field) => plot.actions.add(choice, field)}
        />
      ) : (
        <span className="quiet">{words.plot.full(maxPlotFields)}</span>
      )}
    </>
  );
}

function Tools(props: PlotBarProps) {
  const { scene, choice, source, zone, title, names, save } = props;
  const drawn = useStore(scene.store, (state) => state.drawn);
  const zoom = useStore(scene.store, (state) => state.part);
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
    const picture = await savePicture({
      drawn,
      fields: source.fields,
      zone,
      names,
      title,
      print: what === 'print',
    });
    await save(pictureName(title), picture);
    return pictureName(title);
  });
  const zoomBy = (by: number) => {
    if (drawn) scene.actions.zoom(zoomedBy(drawn, drawn.content, { do: 'zoom', by }, null));
  };
  return (
    <span className="plot-tools">
      <Button variant="quiet" icon={ZoomIn} aria-label={words.plot.zoomIn} onPress={() => zoomBy(1 / 1.5)} />
      <Button
        variant="quiet"
        icon={ZoomOut}
        aria-label={words.plot.zoomOut}
        isDisabled={zoom === null}
        onPress={() => zoomBy(1.5)}
      />
      <Button
        variant="quiet"
        icon={Maximize}
        aria-label={words.plot.reset}
        isDisabled={zoom === null}
        onPress={() => scene.actions.zoom(null)}
      />
      <MenuButton
        label={words.plot.picture}
        icon={ImageDown}
        items={[
          { id: 'theme', text: words.plot.pictures.theme },
          { id: 'print', text: words.plot.pictures.print },
        ]}
        onSelect={(what) => void saving.start(what)}
      />
      <Button
        variant="quiet"
        icon={FileDown}
        aria-label={words.plot.csv}
        onPress={() => void saving.start('csv')}
      />
      <Status className="visually-hidden">{saving.value ? words.plot.saved(saving.value) : ''}</Status>
      {saving.error && <Failed error={saving.error} />}
    </span>
  );
}

/** The headings of a plot's data: the paths of the fields, for other programs. */
function csvHeads({ choice, groups }: Content, time: boolean, names: PlotNames): CsvHeads {
  return {
    x: choice.x,
    y: choice.y,
    group: groups.length > 1 ? words.plot.wellHead : undefined,
    groups: groups.map((group) => groupName(group, names)),
    time,
  };
}
