import { Download } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { type ExportFormat, exportFormats } from '../../../shared/export/export.ts';
import type { FindTarget } from '../../../shared/query/query.ts';
import { csvOf } from '../../../shared/settings/settings.ts';
import { localZone } from '../../format/zoned.ts';
import { useTask } from '../../state/use-task.ts';
import { Button } from '../../ui/button.tsx';
import { OptionGroup } from '../../ui/option-group.tsx';
import { Failed } from '../../ui/view-states.tsx';
import { Popup, PopupAt } from '../../ui/popup.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import { choiceOf, type CsvChoice, CsvOptions, styleOf } from './csv-options.tsx';
import type { ExportQuery, ExportTimes } from './export.ts';
import { namedFor, suggestedName } from '../../format/file-name.ts';
import { useApp, useAppState } from '../../state/contexts.ts';
import './export.css';

export interface ExportButtonProps {
  readonly target: FindTarget;
  /** The subject of the export, for the form's text. */
  readonly of: ExportQuery['kind'] | 'answer';
  /**
   * The query at the start of the export, with parameters replaced.
   * @throws AppError invalid_input
   */
  readonly question: () => Promise<ExportQuery>;
  /** The exported fields if they aren't all of the query's; null: all. */
  readonly fields: readonly string[] | null;
  /** The position of a form without a button, as from a menu. */
  readonly at?: RefObject<Element | null> | undefined;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** Exports all matching records. */
export function ExportButton(props: ExportButtonProps) {
  const { at, isOpen, onOpenChange } = props;
  const close = () => onOpenChange(false);
  if (at)
    return isOpen ? (
      <PopupAt at={at} heading={words.export.heading} placement="bottom end" onClose={close}>
        <ExportForm {...props} onStarted={close} />
      </PopupAt>
    ) : null;
  return (
    <Popup
      heading={words.export.heading}
      trigger={<Button icon={Download}>{words.query.export}</Button>}
      isOpen={props.isOpen}
      onOpenChange={props.onOpenChange}
    >
      {(close) => <ExportForm {...props} onStarted={close} />}
    </Popup>
  );
}

const formats = exportFormats.map((id) => ({ id, text: words.export.formats[id] }));
const times: { id: ExportTimes; text: string }[] = [
  { id: 'raw', text: words.export.raw },
  { id: 'utc', text: words.export.utc },
  ...(localZone() === 'UTC' ? [] : [{ id: 'local' as const, text: words.export.local(localZone()) }]),
];

function ExportForm(props: ExportButtonProps & { onStarted: () => void }) {
  const { target, of, question, fields, onStarted } = props;
  const { start } = useApp().exporting;
  const { show } = useApp().jobs.actions;
  const [fileName, setFileName] = useState(() => suggestedName(target.dataset, new Date()));
  const [format, setFormat] = useState<ExportFormat>('csv');
  const values = useAppState('settings', (state) => state.values);
  const own = csvOf(values);
  const [csv, setCsv] = useState<CsvChoice>(() => choiceOf(own));
  const [chosenTimes, setTimes] = useState<ExportTimes>('raw');
  const starting = useTask(async (_: void, signal) => {
    const choice = { fileName: fileName.trim(), times: chosenTimes, format, csv: styleOf(csv, own) };
    const job = await start(target, await question(), choice, signal);
    if (job === null) return;
    show(true);
    onStarted();
  });
  const nameless = fileName.trim() === '';
  return (
    <Form
      className="export-form stack gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!nameless && !starting.isRunning) void starting.start();
      }}
    >
      <p className="quiet">{words.export.texts[of]}</p>
      {fields && <p className="export-only">{words.export.only(fields)}</p>}
      <TextField
        label={words.export.fileName}
        name="fileName"
        value={fileName}
        onChange={setFileName}
        problem={nameless ? words.export.fileNameMissing : undefined}
      />
      <OptionGroup
        label={words.export.format}
        layout="line"
        value={format}
        options={formats}
        onChange={(chosen) => {
          setFormat(chosen);
          setFileName((name) => namedFor(name.trim(), chosen));
        }}
      />
      {format === 'csv' && <CsvOptions value={csv} userStyle={own} onChange={setCsv} />}
      <OptionGroup
        label={words.export.times}
        layout="list"
        value={chosenTimes}
        options={times}
        onChange={setTimes}
      />
      {starting.error && <Failed error={starting.error} />}
      <div className="row wrap">
        <Button type="submit" variant="primary" isPending={starting.isRunning}>
          {starting.isRunning ? words.export.starting : words.export.start}
        </Button>
        <Button variant="quiet" onPress={onStarted}>
          {words.cancel}
        </Button>
      </div>
    </Form>
  );
}
