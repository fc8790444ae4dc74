import { Bookmark, Trash2 } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { matchesHeader, type UploadTemplate } from '../../../../shared/upload/templates.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { Failed, Loading } from '../../../ui/view-states.tsx';
import { Popup } from '../../../ui/popup.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { withoutProposals } from './fields.ts';
import { headerOf, readingFor } from './templates.ts';
import { fileName } from '../upload-state.ts';
import { useTab, useTabState } from '../../../contexts.ts';

const w = uploadWords.templates;
const maxTemplates = 3;

export function TemplateBar() {
  const { actions } = useTab('upload');
  const { templates, preview, reading, choices, proposals, earlierMapping } = useTabState(
    'upload',
    (state) => state,
  );
  const isUnchanged = useMemo(
    () => Object.keys(withoutProposals(choices, { proposals }).columns).length === 0,
    [choices, proposals],
  );
  useEffect(() => void actions.loadTemplates(), [actions]);
  const header = headerOf({ preview });
  const all = templates.status === 'loaded' ? templates.value.templates : [];
  const fits = (template: UploadTemplate) =>
    matchesHeader(header, template) || readingFor({ preview, reading }, template) !== null;
  const matchingTemplates = all.filter(fits);
  return (
    <div className="push row wrap">
      {matchingTemplates.length > 0 && isUnchanged && !earlierMapping && (
        <>
          <span>{w.offer}</span>
          {matchingTemplates.slice(0, maxTemplates).map((template) => (
            <Button key={template.id} icon={Bookmark} onPress={() => void actions.applyTemplate(template)}>
              {w.use(template.name)}
            </Button>
          ))}
        </>
      )}
      <Popup heading={w.heading} isWide trigger={{ icon: Bookmark, children: w.heading }}>
        {(close) => (
          <div className="stack gap-3">
            {templates.status === 'loading' && <Loading what={w.loading} />}
            {templates.status === 'failed' && (
              <Failed error={templates.error} isInForm onRetry={() => void actions.loadTemplates()} />
            )}
            {templates.status === 'loaded' && templates.value.problem !== null && (
              <Alert tone="warning">{templates.value.problem}</Alert>
            )}
            <SaveTemplateForm />
            {templates.status === 'loaded' && all.length === 0 && <p className="quiet">{w.none}</p>}
            {all.length > 0 && (
              <ul>
                {all.map((template) => (
                  <TemplateRow
                    key={template.id}
                    template={template}
                    canApply={fits(template)}
                    onUse={close}
                  />
                ))}
              </ul>
            )}
          </div>
        )}
      </Popup>
    </div>
  );
}

function SaveTemplateForm() {
  const { actions } = useTab('upload');
  const file = useTabState('upload', fileName) ?? '';
  const [name, setName] = useState(file.replace(/\.[^.]{1,5}$/, ''));
  const isEmpty = name.trim() === '';
  return (
    <Form className="row items-start" onSubmit={() => !isEmpty && void actions.saveTemplate(name)}>
      <TextField
        className="grow"
        label={w.name}
        name="template"
        value={name}
        onChange={setName}
        note={w.note}
      />
      <Button type="submit" className="upload-template-save" isDisabled={isEmpty}>
        {w.keep}
      </Button>
    </Form>
  );
}

interface TemplateRowProps {
  readonly template: UploadTemplate;
  /** Whether the template is for files with this header, or for another table of the file. */
  readonly canApply: boolean;
  readonly onUse: () => void;
}

function TemplateRow({ template, canApply, onUse }: TemplateRowProps) {
  const { actions } = useTab('upload');
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? template.name;
  const rename = async () => {
    const wanted = name.trim();
    if (wanted !== '' && wanted !== template.name) await actions.renameTemplate(template, wanted);
    // What is typed by now stays.
    setTyped((now) => (now === typed ? null : now));
  };
  return (
    <li className="row items-start">
      <Form className="grow" onSubmit={() => void rename()}>
        <TextField
          label={w.rename(template.name)}
          isLabelHidden
          name="name"
          value={name}
          onChange={setTyped}
          onBlur={() => void rename()}
        />
      </Form>
      <Button
        variant="quiet"
        isDisabled={!canApply}
        aria-label={w.use(template.name)}
        onPress={() => {
          onUse();
          void actions.applyTemplate(template);
        }}
      >
        {canApply ? w.apply : w.otherHeader}
      </Button>
      <Button
        variant="quiet"
        icon={Trash2}
        aria-label={w.remove(template.name)}
        onPress={() => void actions.removeTemplate(template.id)}
      />
    </li>
  );
}
